// SPDX-License-Identifier: Apache-2.0
import { AxisPlacement } from '@grafana/grafana-foundation-sdk/common';

import { ALARM } from '../colours.js';
import type { Row } from '../layout.js';
import { DOCS } from '../links.js';
import { course, waiting } from '../queries.js';
import { line } from '../target.js';
import { stacked, timeseries } from '../timeseries.js';

// The rules record every 5 s.
const RECORDED = '5s';
const WAITING = '15s';
// Every window counts in a maximum over the step.
const WINDOW = '50ms';

const edge = '{{from}} -> {{to}}';
const server = '{{tier}} {{instance}}';

const waited = stacked(
  timeseries('Time by tier', 's', [line('waited', course.waited, '{{tier}}', RECORDED)]),
).description(
  `The mean response time by the tier that a request is in, without what it waits for the tiers behind. If the ` +
    `time of a tier grows, requests wait there; the panel beside it shows the cause.`,
);

const charged = stacked(
  timeseries('Time by what it is charged to', 's', [line('charged', course.charged, '{{tier}} {{cause}}', RECORDED)]),
).description(
  `The same time by its cause: work is the time that requests take if nothing holds them up, the rest is the time ` +
    `that they wait because of each cause. [The causes](${DOCS}/how-it-works.md)`,
);

const waitsFor = stacked(
  timeseries('What $tier waits for', 'percentunit', [line('share', waiting.share, '{{on}}', WAITING)]),
)
  .max(1)
  .repeat('tier')
  .repeatDirection('h')
  .maxPerRow(3)
  .description(
    "The time of the tier's places, one for each connection of its clients: it waits for its clients (no request is " +
      'under way), for itself, or for a tier behind. If a tier behind has most of this time and clients have ' +
      `little, look at that tier first. [How it is split](${DOCS}/waiting.md)`,
  );

const correlation = timeseries('Correlation of own queue and calls', 'none', [
  line('correlation', course.correlation, edge, RECORDED),
])
  .min(-1)
  .max(1)
  .decimals(2)
  .description(
    `Correlation of a tier's own queue with its calls outstanding at the tier behind, over 12 s each. Clearly below ` +
      `0: the two tiers take turns, neither is busy on average, and more capacity for one of them gains little.`,
  );

const turns = timeseries('Turns per minute', 'short', [line('turns', course.turns, edge, RECORDED)])
  .min(0)
  .decimals(0)
  .description(
    "How often the longer queue changed sides between a tier's own and its calls at the tier behind: twice as " +
      'long, and ' +
      'longer by four requests. Short queues that change sides by chance do not count.',
  );

const beyond = timeseries('Both saturated or frozen', 'percentunit', [
  line('beyond', course.bothBeyond, edge, RECORDED),
])
  .min(0)
  .max(1)
  .description(
    'Share of the windows that are saturated or frozen, of the tier of the pair that has fewer of them. Turns matter ' +
      'only if both tiers have such windows: otherwise two short queues move against each other, which does no harm.',
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
    `Tiers with a JVM. The longest own queue and the largest share of a window in garbage collection, of all ` +
      `windows of a step. If a queue jumps up with each red bar, the collector causes it.`,
  );

const cause = timeseries('Correlation of own queue and cause', 'none', [
  line('cause', course.cause, '{{tier}} {{cause}} {{instance}}', RECORDED),
])
  .min(-1)
  .max(1)
  .decimals(2)
  .noValue('No cause is measured (no JVM tier)')
  .description(
    "Correlation of a tier's own queue with a cause in the same windows, over 12 s each: near +1 they grow together. " +
      'Single values scatter: look at a minute or more.',
  );

const residence = timeseries('Time in the tier', 's', [
  line('mean', course.residence, `${server} mean`),
  line('worst', course.residenceWorst, `${server} worst window`, '1s'),
])
  .min(0)
  .overrideByQuery('worst', [
    { id: 'custom.drawStyle', value: 'points' },
    { id: 'custom.pointSize', value: 3 },
    { id: 'custom.showPoints', value: 'always' },
  ])
  .description(
    'Response time of each tier, including what it waits for the tiers behind it. Points: the mean of the worst ' +
      'window of each step. Points far above the line are short freezes that averages hide.',
  );

export const turnsAndCauses: Row = {
  title: 'Where does the time go, who takes turns, and why?',
  tiles: [
    { panel: waited, w: 12, h: 8 },
    { panel: charged, w: 12, h: 8 },
    { panel: waitsFor, w: 24, h: 8 },
    { panel: correlation, w: 8, h: 8 },
    { panel: turns, w: 8, h: 8 },
    { panel: beyond, w: 8, h: 8 },
    { panel: collections, w: 24, h: 9 },
    { panel: cause, w: 12, h: 8 },
    { panel: residence, w: 12, h: 8 },
  ],
};
