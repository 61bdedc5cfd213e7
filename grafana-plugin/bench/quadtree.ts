// SPDX-License-Identifier: Apache-2.0

/** Box of a drawn point. */
export interface Item {
  x: number;
  y: number;
  width: number;
  height: number;
  series: number;
  index: number;
}

const MOST = 10;
const DEEPEST = 4;

/** Boxes sorted by quarters of quarters of the plot; a box on a border is in each part that it touches. */
export class Quadtree {
  private items: Item[] = [];
  private parts: Quadtree[] | null = null;

  constructor(
    private readonly x: number,
    private readonly y: number,
    private readonly width: number,
    private readonly height: number,
    private readonly depth = 0
  ) {}

  add(item: Item) {
    if (this.parts) {
      this.hand(item);
      return;
    }
    this.items.push(item);
    if (this.items.length > MOST && this.depth < DEEPEST) {
      const [w, h] = [this.width / 2, this.height / 2];
      this.parts = [0, 1, 2, 3].map(
        (i) => new Quadtree(this.x + (i % 2) * w, this.y + (i >> 1) * h, w, h, this.depth + 1)
      );
      this.items.forEach((held) => this.hand(held));
      this.items = [];
    }
  }

  private hand(item: Item) {
    for (const part of this.parts!) {
      if (part.touches(item)) {
        part.add(item);
      }
    }
  }

  private touches({ x, y, width, height }: Item): boolean {
    return x <= this.x + this.width && x + width >= this.x && y <= this.y + this.height && y + height >= this.y;
  }
}
