// SPDX-License-Identifier: Apache-2.0
import { ALARM, NOTED, OK, UNKNOWN } from '../colours.js';
import type { Row } from '../layout.js';
import { DOCS, runbook } from '../links.js';
import { capacityCourse, capacityNow } from '../queries.js';
import { table, unit, valueOf, width, words } from '../table.js';
import { line, row } from '../target.js';
import { dashed, stacked, timeseries } from '../timeseries.js';

// The rules record every 15 s, the throughput every 5 s.
const RECORDED = '15s';

const STATES: Record<string, { text: string; color: string }> = {
  client: { text: 'below it', color: OK },
  gray: { text: 'gray zone', color: NOTED },
  server: { text: 'reached', color: ALARM },
  unknown: { text: 'not known yet', color: UNKNOWN },
};

const perSecond = (from: string, name: string) => ({
  from: valueOf(from),
  name,
  properties: [...unit('suffix: req/s', 0), ...width(115)],
});

const now = table(
  'Capacity now',
  Object.entries(capacityNow).map(([refId, expr]) => row(refId, expr)),
  [
    { from: 'state', name: 'Capacity', properties: [...words(STATES), ...width(130)] },
    { from: valueOf('state'), name: 'Confidence', properties: [...unit('percentunit', 0), ...width(100)] },
    perSecond('headroom', 'Headroom'),
    perSecond('throughput', 'Throughput'),
    perSecond('limit', 'Th_limit'),
    perSecond('th95', 'Th0.95'),
    perSecond('peak', 'Peak'),
    {
      from: 'source',
      name: 'Peak is from',
      properties: [
        ...words({ study: { text: 'the load study' }, main_sequence: { text: 'the main sequences' } }),
        ...width(160),
      ],
    },
    { from: 'tier', name: 'Nearest to its limit' },
  ],
  ['app', valueOf('source'), valueOf('limiting')],
)
  .noValue('No state: no requests, or the rules are not loaded')
  .description(
    `**Below it**: the clients set the throughput, and more clients get more. **Gray zone**: from Th_limit on, ` +
      `where one more server would begin to gain. **Reached**: the server sets it. **Confidence**: share of the ` +
      `types of indicators that say so by themselves. **Headroom**: what more can be served up to Th0.95. While ` +
      `the peak is not known, no state is given. [How it is found](${DOCS}/rules.md), ` +
      `${runbook('NstarCapacityReached')} and ${runbook('NstarGrayZoneForAWeek')}: what to do.`,
  );

const throughput = timeseries('Throughput against the peak', 'reqps', [
  line('throughput', capacityCourse.throughput, 'throughput', RECORDED),
  line('limit', capacityCourse.limit, 'Th_limit', RECORDED),
  line('th95', capacityCourse.th95, 'Th0.95', RECORDED),
  line('peak', capacityCourse.peak, 'peak', RECORDED),
])
  .min(0)
  .overrideByQuery('limit', [...dashed, { id: 'color', value: { mode: 'fixed', fixedColor: NOTED } }])
  .overrideByQuery('th95', [...dashed, { id: 'color', value: { mode: 'fixed', fixedColor: ALARM } }])
  .overrideByQuery('peak', dashed)
  .description(
    `Completed requests per second, and dashed the peak and the limits of the gray zone: below Th_limit the ` +
      `clients are the bottleneck, above Th0.95 the server. Without a [load study](${DOCS}/study.md) the peak is ` +
      `what the tiers' main sequences allow at the present calls per request, so it changes with the mix of requests.`,
  );

const headroom = timeseries('Headroom', 'reqps', [line('headroom', capacityCourse.headroom, 'headroom', RECORDED)])
  .min(0)
  .description(
    'How much more could be served before the server is the bottleneck: Th0.95 less the throughput, at least zero.',
  );

const states = stacked(
  timeseries('State over time', 'percentunit', [line('state', capacityCourse.states, '{{state}}', RECORDED)]),
)
  .max(1)
  .description(
    'Share of each step in each state. A stripe of the gray zone every evening, growing week by week, is the time ' +
      'to plan capacity.',
  );
for (const [state, { color }] of Object.entries(STATES)) {
  states.overrideByName(state, [{ id: 'color', value: { mode: 'fixed', fixedColor: color } }]);
}

const days = timeseries('Share of the last day beyond Th_limit', 'percentunit', [
  line('gray', capacityCourse.gray, 'gray zone or beyond', '5m'),
])
  .min(0)
  .description(
    `For each moment, the share of the day before it that was in the gray zone or beyond; for long time ranges. An ` +
      `hour or more on every day of a week fires an alert. ${runbook('NstarGrayZoneForAWeek')}`,
  );

export const reached: Row = {
  title: 'Has it reached its capacity?',
  tiles: [
    { panel: now, w: 24, h: 4 },
    { panel: throughput, w: 12, h: 8 },
    { panel: headroom, w: 12, h: 8 },
    { panel: states, w: 12, h: 6 },
    { panel: days, w: 12, h: 6 },
  ],
};
