// SPDX-License-Identifier: Apache-2.0

/** A window to point out, CSS pixels of the plotting area. */
export interface Mark {
  x: number;
  y: number;
  colour: string;
  /** The window at the pointer itself, not one of the same time. */
  main: boolean;
}

/** A transparent canvas over the plot: pointing at windows never draws the points again. */
export class MarkOverlay {
  private readonly canvas = document.createElement('canvas');

  private empty = true;

  constructor(over: HTMLElement) {
    this.canvas.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;pointer-events:none';
    over.appendChild(this.canvas);
  }

  /**
   * @param width of the plotting area, CSS pixels
   * @param ratio pixels of the device per CSS pixel
   */
  draw(marks: readonly Mark[], width: number, height: number, ratio: number, background: string) {
    if (marks.length === 0 && this.empty) {
      return;
    }
    this.empty = marks.length === 0;
    // setting the size also clears it
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const ctx = this.canvas.getContext('2d');
    if (!ctx) {
      return;
    }
    ctx.scale(ratio, ratio);
    for (const { x, y, colour, main } of marks) {
      ctx.beginPath();
      ctx.arc(x, y, main ? 9 : 7, 0, 2 * Math.PI);
      ctx.lineWidth = main ? 5 : 4;
      ctx.strokeStyle = background;
      ctx.stroke();
      ctx.lineWidth = main ? 2.5 : 1.5;
      ctx.strokeStyle = colour;
      ctx.stroke();
    }
  }
}
