// SPDX-License-Identifier: Apache-2.0
import { ALARM, NOTED, OK, STATE_COLOUR } from '../colours.js';
import type { Row } from '../layout.js';
import { LIMIT } from '../limits.js';
import { DOCS, runbook } from '../links.js';
import { alerts, causes, now, turns } from '../queries.js';
import { coloured, noValue, table, unit, valueOf, width, words } from '../table.js';
import { row } from '../target.js';
import { steps } from '../thresholds.js';

const tiers = table(
  'Tiers now',
  Object.entries(now).map(([refId, expr]) => row(refId, expr)),
  [
    {
      from: valueOf('state'),
      name: 'State',
      properties: [
        ...words({
          2: { text: 'frozen', color: STATE_COLOUR.frozen },
          1: { text: 'saturated', color: STATE_COLOUR.saturated },
          0: { text: 'ok', color: OK },
          [-1]: { text: 'no N*', color: STATE_COLOUR.idle },
        }),
        ...width(85),
      ],
    },
    { from: 'tier', name: 'Tier', properties: width(95) },
    {
      from: valueOf('frozen'),
      name: 'Frozen',
      properties: [
        ...width(75),
        ...unit('percentunit', 1),
        ...coloured(steps('transparent', [LIMIT.frozenShare, ALARM]), 'color-background'),
      ],
    },
    {
      from: valueOf('saturated'),
      name: 'Saturated',
      properties: [
        ...width(85),
        ...unit('percentunit', 1),
        ...coloured(steps('transparent', [LIMIT.saturatedShare, NOTED]), 'color-background'),
      ],
    },
    { from: valueOf('queue'), name: 'Queue', properties: [...unit('short', 1), ...width(60)] },
    {
      from: valueOf('saturationPoint'),
      name: 'N*',
      properties: [...unit('short', 1), ...noValue('unknown'), ...width(65)],
    },
    { from: valueOf('throughput'), name: 'Throughput', properties: [...unit('suffix: req/s', 0), ...width(95)] },
    { from: valueOf('maxThroughput'), name: 'TPmax', properties: [...unit('suffix: req/s', 0), ...width(95)] },
    { from: 'instance', name: 'Instance' },
  ],
  ['app'],
).description(
  `Each tier over the last minute (queue and throughput over two, where counters are scraped less than twice a minute; ` +
    `they need a scrape a minute). **Saturated**: share of its windows with a queue beyond N\\*, while it works. ` +
    `**Frozen**: queue beyond N\\* and hardly an answer (below a fifth of TPmax). Coloured where the alert fires. ` +
    `Red: something stops this tier, or one behind it; begin with the last red tier of the chain (${runbook('NstarTierFrozen')}). Amber: it serves all it can; ` +
    `likewise begin with the last (${runbook('NstarTierSaturated')}). ` +
    `"no N\\*": not seen at its limit in the last 15 minutes, [how N\\* is found](${DOCS}/rules.md).`,
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
    `All alerts of Nstar that fire, whatever is chosen above; choose the application of one to see its tiers. **Since**: ` +
      `how long ago its condition became true, which is up to five minutes before it fired. **Instance**: address of the ` +
      `exporter. A name leads to its runbook: what it means and what to do.`,
  )
  .noValue('None');

const pairs = table(
  'Who takes turns',
  Object.entries(turns).map(([refId, expr]) => row(refId, expr)),
  [
    {
      from: valueOf('verdict'),
      name: 'Turns',
      properties: words({ 1: { text: 'take turns', color: ALARM }, 0: { text: 'no', color: OK } }),
    },
    { from: 'from', name: 'From' },
    { from: 'to', name: 'To' },
    {
      from: valueOf('correlation'),
      name: 'Correlation',
      properties: [...unit('none', 2), ...coloured(steps(ALARM, [LIMIT.turnsCorrelation, 'text']), 'color-text')],
    },
    {
      from: valueOf('bothBeyond'),
      name: 'Both beyond N*',
      properties: [...unit('percentunit', 1), ...coloured(steps('text', [LIMIT.turnsShare, NOTED]), 'color-text')],
    },
  ],
  ['app'],
).description(
  `Pairs of tiers that call each other, over the last minute. A clearly negative correlation of their queues, with both ` +
    `beyond N\\* for part of the time, means that the bottleneck jumps between them: neither is busy on average, and more ` +
    `capacity for one of them gains little. Look for what stops one of the two (${runbook('NstarAlternatingBottleneck')}).`,
);

const likely = table(
  'Likely cause',
  Object.entries(causes).map(([refId, expr]) => row(refId, expr)),
  [
    {
      from: valueOf('verdict'),
      name: 'Cause',
      properties: words({ 1: { text: 'likely', color: ALARM }, 0: { text: 'no', color: OK } }),
    },
    { from: 'tier', name: 'Tier' },
    { from: 'cause', name: 'What', properties: width(150) },
    {
      from: valueOf('correlation'),
      name: 'Correlation',
      properties: [...unit('none', 2), ...coloured(steps('text', [LIMIT.causeCorrelation, NOTED]), 'color-text')],
    },
    { from: valueOf('gcTime'), name: 'Time in it', properties: unit('percentunit', 1) },
    { from: 'instance', name: 'Instance' },
  ],
  ['app'],
).description(
  `Does a tier's queue grow in the same windows as a cause that Nstar measures? "likely" where the alert would fire: ` +
    `correlation above ${LIMIT.causeCorrelation} and the tier frozen at times. Garbage collection: take a collector with short pauses ` +
    `and a roomy heap (${runbook('NstarFrozenByGarbageCollection')}). Nothing here, but a tier is frozen: see ` +
    `${runbook('NstarTierFrozen')} for what else stops a server.`,
);

export const glance: Row = {
  title: 'At a glance: the last minute',
  tiles: [
    { panel: tiers, w: 13, h: 8 },
    { panel: firing, w: 11, h: 8 },
    { panel: pairs, w: 12, h: 5 },
    { panel: likely, w: 12, h: 5 },
  ],
};
