// SPDX-License-Identifier: Apache-2.0
import { QueueKind } from './model/tier';

/** Which of the two pictures the panel shows. */
export type View = 'sequence' | 'states';

/** The panel's options, as stored in a dashboard. */
export interface Options {
  view: View;
  /** The queue that is drawn. */
  queue: QueueKind;
  /** Queue axis of the main sequence; `log` is an inverse hyperbolic sine, which also has a place for 0. */
  queueScale: 'linear' | 'log';
  /** Draw the recorded main sequence over the points. */
  showCurve: boolean;
  /** Draw the queue length above each state lane. */
  showQueue: boolean;
  /** Draw the share of garbage collection below each state lane. */
  showGc: boolean;
  showLegend: boolean;
}
