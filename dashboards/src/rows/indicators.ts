// SPDX-License-Identifier: Apache-2.0
import { TableSortByFieldStateBuilder } from '@grafana/grafana-foundation-sdk/common';

import { NOTED } from '../colours.js';
import type { Row } from '../layout.js';
import { DOCS } from '../links.js';
import { capacityCourse, indicators, recommended } from '../queries.js';
import { bar, table, unit, valueOf, width, words } from '../table.js';
import { line, row } from '../target.js';
import { timeseries } from '../timeseries.js';

const RECORDED = '15s';

/** The types of the thesis, table 3.2. */
const TYPES = words({
  RC: { text: 'RC resource consumption' },
  ITD: { text: 'ITD idle threads' },
  ER: { text: 'ER errors' },
  QWT: { text: 'QWT waiting time' },
  QS: { text: 'QS queue size' },
  LY: { text: 'LY latency' },
  PT: { text: 'PT processing time' },
  IOD: { text: 'IOD data in and out' },
  UC: { text: 'UC others' },
});

const place = [
  { from: 'tier', name: 'Tier', properties: width(130) },
  { from: 'type', name: 'Type', properties: [...TYPES, ...width(190)] },
  { from: 'metric', name: 'Metric', properties: width(260) },
];
const share = { from: valueOf('ratio'), name: 'Of its limit', properties: [...unit('percentunit', 0), ...width(110)] };
const value = { from: valueOf('value'), name: 'Value', properties: unit('short', 3) };

const counted = table(
  'Recommended indicators',
  Object.entries(recommended).map(([refId, expr]) => row(refId, expr)),
  [
    ...place,
    {
      from: valueOf('position'),
      name: 'Position',
      properties: [...unit('percentunit', 0), ...bar(NOTED), { id: 'max', value: 1 }, ...width(180)],
    },
    share,
    value,
  ],
  ['app'],
)
  .sortBy([new TableSortByFieldStateBuilder().displayName('Position').desc(true)])
  .noValue('None: the peak is not known yet')
  .description(
    `The indicators on which the state is based: those that a [load study](${DOCS}/study.md) recommends, or without ` +
      `a study those whose limit means the same everywhere. **Position**: where each indicator is between its value ` +
      `under the clients' limit (0 %) and under the server's limit (100 %). Indicators of the whole application have ` +
      `no tier. ` +
      `[Units](${DOCS}/metrics.md)`,
  );

const types = timeseries('Position by type', 'percentunit', [line('types', capacityCourse.types, '{{type}}', RECORDED)])
  .min(0)
  .max(1)
  .description(
    `For each type of indicator, the tier where it is highest. The state is the mean of the types: below a third the ` +
      `clients are the limit, above two thirds the server is. One type alone never decides; if one differs from the ` +
      `others, look at it.`,
  );

const tiers = timeseries('Position by tier', 'percentunit', [line('tiers', capacityCourse.tiers, '{{tier}}', RECORDED)])
  .min(0)
  .max(1)
  .description(
    'For each tier, the mean over its types. The highest tier is nearest to its limit: give it more capacity first.',
  );

const ratios = timeseries('Indicators of $tier, of their limit', 'percentunit', [
  line('ratios', capacityCourse.ratios, '{{metric}}', RECORDED),
])
  .min(0)
  .repeat('tier')
  .repeatDirection('h')
  .maxPerRow(2)
  .description(
    `All indicators of the tier that have a natural scale, recommended or not: higher is nearer to the limit, ` +
      `and 100 % is the limit if there is one. [A load study](${DOCS}/study.md) finds out which of them show the ` +
      `capacity of your system.`,
  );

const all = table(
  'All indicators now',
  Object.entries(indicators).map(([refId, expr]) => row(refId, expr)),
  [...place, share, value],
  ['app'],
)
  .sortBy([new TableSortByFieldStateBuilder().displayName('Tier')])
  .description(
    `Every indicator of the chosen tiers, Nstar's own and those of the standard exporters whose targets have the ` +
      `labels app and tier. [What each means, and its unit](${DOCS}/metrics.md)`,
  );

export const whichSaySo: Row = {
  title: 'Which indicators say so, and where?',
  tiles: [
    { panel: counted, w: 24, h: 9 },
    { panel: types, w: 12, h: 8 },
    { panel: tiers, w: 12, h: 8 },
  ],
};

export const allIndicators: Row = {
  title: 'All indicators',
  collapsed: true,
  tiles: [
    { panel: ratios, w: 24, h: 9 },
    { panel: all, w: 24, h: 12 },
  ],
};
