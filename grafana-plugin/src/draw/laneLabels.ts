// SPDX-License-Identifier: Apache-2.0
import { nStarOnAxis } from '../model/tier';
import { Strip } from './lanes';
import { PreparedLane } from './statesScene';

/** A piece of writing in the gutter, CSS pixels from the top of the lanes. */
export interface Label {
  text: string;
  /** Middle of the line. */
  y: number;
  kind: 'name' | 'small';
}

/** Least distance of two small labels, and the height that one needs. */
const LINE = 11;

const middle = (strip: Strip) => strip.top + strip.height / 2;

/** Height of a queue length in a lane's queue strip. */
export function queueY(queue: number, strip: Strip, top: number): number {
  return strip.top + strip.height * (1 - Math.min(queue / top, 1));
}

/** The labels beside a lane: the name at the band, the ends of the queue scale and N* if there is room. */
export function laneLabels({ tier, lane, queueTop }: PreparedLane, format: (queue: number) => string): Label[] {
  const labels: Label[] = [{ text: tier.name, y: middle(lane.band), kind: 'name' }];
  if (lane.queue) {
    const highest = lane.queue.top + LINE / 2;
    const lowest = lane.queue.top + lane.queue.height - LINE / 2;
    labels.push({ text: format(queueTop), y: highest, kind: 'small' });
    const nStar = nStarOnAxis(tier);
    if (nStar !== null) {
      const y = Math.min(queueY(nStar, lane.queue, queueTop), lowest);
      if (y - highest >= LINE) {
        labels.push({ text: `N* ${format(nStar)}`, y, kind: 'small' });
      }
    }
  }
  if (lane.gc) {
    labels.push({ text: 'GC', y: middle(lane.gc), kind: 'small' });
  }
  return labels;
}

/** Cuts the end off a text until it fits. */
export function shorten(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) {
    return text;
  }
  let length = text.length - 1;
  while (length > 0 && measure(`${text.slice(0, length)}…`) > width) {
    length--;
  }
  return `${text.slice(0, length)}…`;
}
