// SPDX-License-Identifier: Apache-2.0
import { AxisPlacement } from '@grafana/grafana-foundation-sdk/common';

import { ALARM, NOTED, QUIET } from '../colours.js';
import type { Row } from '../layout.js';
import { LIMIT } from '../limits.js';
import { runbook } from '../links.js';
import { course } from '../queries.js';
import { line } from '../target.js';
import { steps } from '../thresholds.js';
import { limit, timeseries } from '../timeseries.js';

// Recorded once a second.
const RECORDED = '1s';
// Every window counts in a maximum over the step.
const WINDOW = '50ms';

const edge = '{{from}} -> {{to}}';
const server = '{{tier}} {{instance}}';

const correlation = limit(
  timeseries('Correlation of the queues', 'none', [line('correlation', course.correlation, edge, RECORDED)]),
  steps(ALARM, [LIMIT.turnsCorrelation, QUIET]),
)
  .min(-1)
  .max(1)
  .decimals(2)
  .description(
    `Of two tiers that call each other, over 12 s each. Near +1: both wait together, the one behind holds the other up. ` +
      `In the red: they take turns. The alert looks at the mean of a minute (${runbook('NstarAlternatingBottleneck')}).`,
  );

const beyond = limit(
  timeseries('Both beyond N*', 'percentunit', [line('beyond', course.bothBeyond, edge, RECORDED)]),
  steps(QUIET, [LIMIT.turnsShare, NOTED]),
)
  .min(0)
  .max(1)
  .description(
    'Share of the windows beyond N\\*, of that end of the pair which has less. Turns matter only where this is above the line: ' +
      'otherwise two short queues move against each other and hurt nobody.',
  );

const collections = timeseries('Garbage collection beside the queue', 'short', [
  line('queue', course.gcQueue, `${server} queue`, WINDOW),
  line('gc', course.gc, `${server} collection`, WINDOW),
])
  .min(0)
  .axisLabel('queue length')
  .overrideByQuery('gc', [
    { id: 'unit', value: 'percentunit' },
    { id: 'max', value: 1 },
    { id: 'custom.axisPlacement', value: AxisPlacement.Right },
    { id: 'custom.axisLabel', value: 'share of a window' },
    { id: 'custom.lineWidth', value: 0 },
    { id: 'custom.fillOpacity', value: 45 },
    { id: 'color', value: { mode: 'fixed', fixedColor: ALARM } },
  ])
  .noValue('No JVM tier')
  .description(
    `Tiers with a JVM. The longest queue and the largest share of a window in garbage collection, of all windows of a step. ` +
      `A queue that jumps up with each red bar is made by the collector (${runbook('NstarFrozenByGarbageCollection')}).`,
  );

const cause = limit(
  timeseries('Correlation of queue and cause', 'none', [
    line('cause', course.cause, '{{tier}} {{cause}} {{instance}}', RECORDED),
  ]),
  steps(QUIET, [LIMIT.causeCorrelation, NOTED]),
)
  .min(-1)
  .max(1)
  .decimals(2)
  .noValue('No cause is measured (no JVM tier)')
  .description(
    "Of a tier's queue with a cause in the same windows, over 12 s each. Above the line, with the tier frozen at times, the " +
      'cause is likely. Values scatter: look at a minute or more.',
  );

const residence = timeseries('Time in the tier', 's', [
  line('mean', course.residence, `${server} mean`),
  line('worst', course.residenceWorst, `${server} worst window`, RECORDED),
])
  .min(0)
  .overrideByQuery('worst', [
    { id: 'custom.drawStyle', value: 'points' },
    { id: 'custom.pointSize', value: 3 },
    { id: 'custom.showPoints', value: 'always' },
  ])
  .description(
    'Response time of each tier, including what it waits for the tiers behind it. Points: the mean of the worst window of ' +
      'each step. Points far above the line are short freezes that averages hide.',
  );

export const turnsAndCauses: Row = {
  title: 'Who takes turns, and why?',
  tiles: [
    { panel: correlation, w: 12, h: 8 },
    { panel: beyond, w: 12, h: 8 },
    { panel: collections, w: 24, h: 9 },
    { panel: cause, w: 12, h: 8 },
    { panel: residence, w: 12, h: 8 },
  ],
};
