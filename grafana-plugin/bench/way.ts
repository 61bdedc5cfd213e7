// SPDX-License-Identifier: Apache-2.0
import { Picture } from '../src/model/tier';

/** A plot that was started. */
export interface Running {
  /** What it draws on. */
  canvas(): HTMLCanvasElement;
  /** Shows other data. */
  update(picture: Picture): void;
  destroy(): void;
}

/** A way of drawing the main sequence. */
export interface Way {
  name: string;
  /** What is there before the clock starts. */
  prepare?(picture: Picture): void;
  start(root: HTMLElement, picture: Picture, width: number, height: number): Running;
}
