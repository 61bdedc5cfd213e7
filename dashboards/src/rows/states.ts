// SPDX-License-Identifier: Apache-2.0
import type { Row } from '../layout.js';
import { DOCS } from '../links.js';
import { states } from '../mainsequence.js';

const panel = states()
  .title('States of every window')
  .description(
    `What each tier did in each window of 50 ms, with its own queue length above and the share of garbage collection ` +
      `below. Frozen (red): requests wait and nothing is answered. Saturated (amber): the own queue is so long that ` +
      `more requests gain nothing. Waiting (violet): for another tier, or for a place. Unknown (grey, hatched): not ` +
      `learned yet. ` +
      `Two tiers that take turns are easy to see: one is frozen while the other is idle, then the other is ` +
      `saturated. Drag to zoom. In ranges of up to 7 minutes every window is drawn; longer ranges show recorded ` +
      `shares. [How it works](${DOCS}/how-it-works.md)`,
  );

export const timeLines: Row = {
  title: 'When was each tier saturated, frozen or waiting?',
  tiles: [{ panel, w: 24, h: 13 }],
};
