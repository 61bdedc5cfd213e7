// SPDX-License-Identifier: Apache-2.0
import { Extent } from '../model/extent';
import { Tier } from '../model/tier';

/** The plotting area, in pixels of the device, and the range that it shows. */
export interface Frame {
  width: number;
  height: number;
  extent: Extent;
  /** Whether the queue axis is an inverse hyperbolic sine. */
  log: boolean;
}

/** Every window that is drawn, one tier after another, as typed arrays: no object per point. */
export interface Points {
  count: number;
  /** From the left edge of the plotting area, pixels of the device. */
  x: Int16Array;
  /** From its upper edge. */
  y: Int16Array;
  state: Uint8Array;
  /** Where each drawn tier's points begin; one more entry ends the last tier. */
  start: Uint32Array;
}

/** The place of a window whose values are not numbers: outside of the drawing. */
export const NOWHERE = -32768;

/** Puts the windows of the tiers onto the plotting area. */
export function placePoints(tiers: readonly Tier[], frame: Frame): Points {
  const start = new Uint32Array(tiers.length + 1);
  tiers.forEach((tier, t) => (start[t + 1] = start[t] + tier.time.length));
  const count = start[tiers.length];
  const points = { count, x: new Int16Array(count), y: new Int16Array(count), state: new Uint8Array(count), start };
  tiers.forEach((tier, t) => {
    points.state.set(tier.state, start[t]);
    placeTier(tier, frame, points.x, points.y, start[t]);
  });
  return points;
}

function placeTier(tier: Tier, frame: Frame, x: Int16Array, y: Int16Array, start: number) {
  const { queue, throughput } = tier;
  const perQueue = frame.width / across(frame.extent.queue, frame.log);
  const perThroughput = frame.height / frame.extent.throughput;
  for (let i = 0; i < queue.length; i++) {
    const right = across(queue[i], frame.log) * perQueue;
    const down = frame.height - throughput[i] * perThroughput;
    const somewhere = right >= 0 && right <= frame.width && down >= 0 && down <= frame.height;
    x[start + i] = somewhere ? right + 0.5 : NOWHERE;
    y[start + i] = somewhere ? down + 0.5 : NOWHERE;
  }
}

/** Place of a queue length along the axis, before it is stretched to the axis' length. */
export function across(queue: number, log: boolean): number {
  return log ? Math.log(queue + Math.sqrt(queue * queue + 1)) : queue;
}

/** Where a queue length and a throughput are in the plotting area. */
export function placeOf(frame: Frame, queue: number, throughput: number): { x: number; y: number } {
  return {
    x: (across(queue, frame.log) / across(frame.extent.queue, frame.log)) * frame.width,
    y: frame.height * (1 - throughput / frame.extent.throughput),
  };
}

/** Which of the drawn tiers a point belongs to. */
export function tierOfPoint(points: Points, point: number): number {
  let t = 0;
  while (points.start[t + 1] <= point) {
    t++;
  }
  return t;
}
