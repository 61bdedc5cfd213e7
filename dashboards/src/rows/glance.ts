// SPDX-License-Identifier: Apache-2.0
import { PanelBuilder as BarGaugeBuilder } from '@grafana/grafana-foundation-sdk/bargauge';
import { TableSortByFieldStateBuilder, VizOrientation } from '@grafana/grafana-foundation-sdk/common';

import { CAUSES } from '../causes.js';
import { ALARM, NOTED, OK, STATE_COLOUR, UNKNOWN } from '../colours.js';
import type { Row } from '../layout.js';
import { DOCS, runbook } from '../links.js';
import { alerts, blame, now, place, verdict } from '../queries.js';
import { bar, noValue, table, unit, valueOf, width, words } from '../table.js';
import { DATASOURCE, instant, row } from '../target.js';

const entries = Object.entries(CAUSES);
const names = words(Object.fromEntries(entries.map(([cause, { name }]) => [cause, { text: name }])));
const advice = words(
  Object.fromEntries(
    entries.flatMap(([cause, { advice }]) => (advice === undefined ? [] : [[cause, { text: advice }]])),
  ),
);

const said = table(
  'Verdict',
  Object.entries(verdict).map(([refId, expr]) => row(refId, expr)),
  [
    {
      from: 'verdict',
      name: 'Verdict',
      properties: [
        ...words({
          healthy: { text: 'healthy', color: OK },
          learning: { text: 'learning', color: UNKNOWN },
          single_bottleneck: { text: 'one bottleneck', color: ALARM },
          alternating_bottleneck: { text: 'alternating bottleneck', color: ALARM },
        }),
        ...width(165),
      ],
    },
    { from: valueOf('response'), name: 'Mean response time', properties: [...unit('s'), ...width(150)] },
    { from: 'tier', name: 'Tier', properties: width(110) },
    { from: 'cause', name: 'Cause', properties: [...names, ...width(190)] },
    { from: valueOf('cost'), name: 'Costs', properties: [...unit('s'), ...width(80)] },
    { from: valueOf('share'), name: 'Share', properties: [...unit('percentunit', 0), ...width(70)] },
    { from: 'advice', name: 'What to do first', properties: advice },
  ],
  ['app', valueOf('verdict')],
)
  .noValue('No verdict: no requests, or the rules are not loaded')
  .description(
    `What the recorded verdict on this application says, as nstartool diagnose and the alerts do. **Costs**: how ` +
      `much of the mean response time the bottleneck takes. **Learning**: the limits of its tiers are not known ` +
      `yet, so nothing is called healthy; the milliseconds below are right already. [How it is ` +
      `found](${DOCS}/rules.md), and ${runbook('NstarBottleneck')}: what to do.`,
  );

const waited = new BarGaugeBuilder()
  .title('Where requests spend their time')
  .datasource(DATASOURCE)
  .withTarget(instant('waited', place.waited).legendFormat('{{tier}}'))
  .unit('s')
  .min(0)
  .orientation(VizOrientation.Horizontal)
  .description(
    `How long a request spends in each tier, without what it waits for the tiers behind: own queue over the ` +
      `throughput of the application. Adds up to the mean response time. [Own queue](${DOCS}/how-it-works.md)`,
  );

const charged = table(
  'What the time is charged to',
  Object.entries(blame).map(([refId, expr]) => row(refId, expr)),
  [
    { from: 'tier', name: 'Tier', properties: width(110) },
    { from: 'cause', name: 'Charged to', properties: [...names, ...width(190)] },
    { from: valueOf('time'), name: 'Time', properties: [...unit('s'), ...bar(STATE_COLOUR.normal), ...width(130)] },
    {
      from: valueOf('tail'),
      name: 'Of the worst moments',
      properties: [...unit('percentunit', 0), ...bar(NOTED), { id: 'max', value: 1 }],
    },
  ],
  ['app'],
)
  .sortBy([new TableSortByFieldStateBuilder().displayName('Time').desc(true)])
  .description(
    `The same response time by its cause: the time of requests that wait behind a tier that stops, or for a place ` +
      `while the tier behind is slow, is charged to that tier. **Work**: the time that requests take if nothing ` +
      `holds them up. **Of the worst moments**: share of the causes of the slowest responses. [How time is ` +
      `charged](${DOCS}/how-it-works.md)`,
  );

const firing = table(
  'Alerts firing',
  [row('since', alerts.since)],
  [
    {
      from: 'alertname',
      name: 'Alert',
      properties: [
        {
          id: 'links',
          value: [{ title: 'Runbook', url: `${DOCS}/runbooks/\${__value.raw}.md`, targetBlank: true }],
        },
        ...width(245),
      ],
    },
    { from: 'app', name: 'Application', properties: width(95) },
    { from: 'where', name: 'Where' },
    { from: 'instance', name: 'Instance' },
    { from: 'Value', name: 'Since', properties: [...unit('s', 0), ...width(70)] },
  ],
  ['tier', 'from', 'to', 'reason'],
)
  .description(
    `All alerts of Nstar that fire, whatever is chosen above; choose the application of one to see its tiers. ` +
      `**Since**: how long ago its condition became true, which is up to five minutes before it fired. ` +
      `**Instance**: address of the exporter. A name leads to its runbook: what it means and what to do.`,
  )
  .noValue('None');

const shareOf = (state: 'frozen' | 'saturated' | 'waiting' | 'unknown', name: string) => ({
  from: valueOf(state),
  name,
  properties: [...width(95), ...unit('percentunit', 1), ...bar(STATE_COLOUR[state]), { id: 'max', value: 1 }],
});

const tiers = table(
  'Tiers now',
  Object.entries(now).map(([refId, expr]) => row(refId, expr)),
  [
    { from: 'tier', name: 'Tier', properties: width(110) },
    shareOf('frozen', 'Frozen'),
    shareOf('saturated', 'Saturated'),
    shareOf('waiting', 'Waiting'),
    shareOf('unknown', 'Unknown'),
    { from: valueOf('ownQueue'), name: 'Own queue', properties: [...unit('short', 1), ...width(95)] },
    { from: valueOf('queue'), name: 'Queue', properties: [...unit('short', 1), ...width(75)] },
    { from: valueOf('saturationPoint'), name: 'N*', properties: [...unit('short', 1), ...width(65)] },
    {
      from: 'status',
      name: 'N* is',
      properties: [
        ...words({
          known: { text: 'known' },
          learning: { text: 'being learned' },
          never_near_limit: { text: 'not known: never near its limit' },
          always_at_limit: { text: 'not known: always at its limit' },
        }),
        ...noValue('unknown'),
        ...width(210),
      ],
    },
    { from: valueOf('throughput'), name: 'Throughput', properties: [...unit('suffix: req/s', 0), ...width(100)] },
    { from: valueOf('maxThroughput'), name: 'TPmax', properties: [...unit('suffix: req/s', 0), ...width(100)] },
    { from: 'instance', name: 'Instance' },
  ],
  ['app'],
).description(
  `Each tier over the last minute (queues and throughput over two, where counters are scraped less than twice a ` +
    `minute; they need a scrape a minute). Shares of its windows: **Frozen**, requests wait for no other tier and ` +
    `nothing is answered; **Saturated**, own queue beyond N\\*; **Waiting**, for another tier or for a place; ` +
    `**Unknown**, a queue that is long while too little was learned to judge it. ` +
    `[How N\\* is found](${DOCS}/how-it-works.md)`,
);

export const glance: Row = {
  title: 'Is anything wrong, where does the time go, and why? The last minute',
  tiles: [
    { panel: said, w: 24, h: 4 },
    { panel: waited, w: 6, h: 8 },
    { panel: charged, w: 9, h: 8 },
    { panel: firing, w: 9, h: 8 },
    { panel: tiers, w: 24, h: 6 },
  ],
};
