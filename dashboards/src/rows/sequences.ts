// SPDX-License-Identifier: Apache-2.0
import type { Row } from '../layout.js';
import { DOCS } from '../links.js';
import { sequence } from '../mainsequence.js';

const panel = sequence()
  .title('Main sequence of $tier')
  .description(
    `One point per window: throughput against the own queue, the requests that wait for no tier behind. ` +
      `Throughput rises to TPmax; beyond N\\* (drawn with its interval) more waiting requests gain nothing. ` +
      `Points at the bottom right, long queue and no throughput, are freezes: select them with a drag and ` +
      `they light up in the time lines. A flat top that is lower than last week is lost capacity. Without N\\* the ` +
      `picture says why. [TPmax, N\\* and the states](${DOCS}/rules.md)`,
  )
  .repeat('tier')
  .repeatDirection('h')
  .maxPerRow(3);

export const sequences: Row = {
  title: 'Main sequences: where does more load gain nothing?',
  tiles: [{ panel, w: 24, h: 11 }],
};
