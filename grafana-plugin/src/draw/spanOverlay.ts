// SPDX-License-Identifier: Apache-2.0
import { fade } from './colour';
import { Box } from './spans';

/** Height of the marks at the upper edge, CSS pixels. */
const MARK = 4;

/** Points out spans on a canvas of its own above the plot, which stays as it is. */
export class SpanOverlay {
  private readonly canvas = document.createElement('canvas');

  constructor(parent: HTMLElement) {
    Object.assign(this.canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%' });
    this.canvas.style.pointerEvents = 'none';
    parent.appendChild(this.canvas);
  }

  /** @param colour #rrggbb */
  draw(boxes: readonly Box[], width: number, height: number, ratio: number, colour: string) {
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const context = this.canvas.getContext('2d');
    if (!context || boxes.length === 0) {
      return;
    }
    context.scale(ratio, ratio);
    for (const { left, width: across } of boxes) {
      context.fillStyle = fade(colour, 0.16);
      context.fillRect(left, 0, across, height);
      context.fillStyle = colour;
      context.fillRect(left, 0, across, MARK);
    }
  }
}
