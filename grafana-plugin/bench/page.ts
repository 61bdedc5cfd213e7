// SPDX-License-Identifier: Apache-2.0
import 'uplot/dist/uPlot.min.css';
import { Picture } from '../src/model/tier';
import { ours } from './ours';
import { Way } from './way';
import { frozenWindows, windows } from './windows';
import { xychart } from './xychart';

const WIDTH = 900;
const HEIGHT = 450;

/** Milliseconds of one first draw and one redraw. */
export interface Times {
  first: number;
  redraw: number;
}

declare global {
  interface Window {
    /** Draws in both ways; the order changes from round to round. */
    round(count: number, round: number): Promise<Record<string, Times>>;
    frozenShare(count: number): number;
  }
}

/** Waits until the pixels are there: canvas commands are put off, and uPlot draws in a microtask. */
async function drawn(canvas: () => HTMLCanvasElement) {
  await Promise.resolve();
  await Promise.resolve();
  canvas().getContext('2d')!.getImageData(60, 60, 1, 1);
}

async function measure(way: Way, before: Picture, after: Picture): Promise<Times> {
  const root = document.createElement('div');
  document.body.append(root);
  [before, after].forEach((picture) => way.prepare?.(picture));
  const began = performance.now();
  const running = way.start(root, before, WIDTH, HEIGHT);
  await drawn(running.canvas);
  const first = performance.now() - began;
  // let the browser put the first picture on the screen, which is the same for both
  await new Promise((resolve) => setTimeout(resolve, 50));
  const again = performance.now();
  running.update(after);
  await drawn(running.canvas);
  const redraw = performance.now() - again;
  running.destroy();
  root.remove();
  return { first, redraw };
}

window.round = async (count, round) => {
  const before = windows(count, 2 * round + 1);
  const after = windows(count, 2 * round + 1000);
  const times: Record<string, Times> = {};
  for (const way of round % 2 === 0 ? [ours, xychart] : [xychart, ours]) {
    times[way.name] = await measure(way, before, after);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return times;
};

window.frozenShare = (count) => frozenWindows(windows(count, 1)) / count;
