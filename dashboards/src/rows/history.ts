// SPDX-License-Identifier: Apache-2.0
import { STATE_COLOUR } from '../colours.js';
import type { Row } from '../layout.js';
import { DOCS } from '../links.js';
import { history } from '../queries.js';
import { line } from '../target.js';
import { dashed, stacked, timeseries } from '../timeseries.js';

const server = '{{tier}} {{instance}}';

const states = stacked(
  timeseries('States of $tier', 'percentunit', [line('share', history.states, '{{state}}', '10s')]),
)
  .max(1)
  .repeat('tier')
  .repeatDirection('h')
  .maxPerRow(3)
  .description(
    'Share of the windows in each state; of a tier on several servers, the mean over them. More amber or red than ' +
      'yesterday at the same throughput: the tier has become slower. Violet: it waits for another tier, so ' +
      'look at that tier. Grey: ' +
      `the state was not known yet. [What the states mean](${DOCS}/how-it-works.md)`,
  );
for (const [state, color] of Object.entries(STATE_COLOUR)) {
  states.overrideByName(state, [{ id: 'color', value: { mode: 'fixed', fixedColor: color } }]);
}

const throughput = timeseries('Throughput', 'reqps', [
  line('throughput', history.throughput, server),
  line('best', history.maxThroughput, `${server} TPmax`, '15s'),
])
  .min(0)
  .overrideByQuery('best', dashed)
  .description(
    'Completed requests per second, and dashed the most that the tier can do (TPmax), if that is known. A ' +
      'TPmax that falls is lost capacity: fewer cores, a neighbour, or more expensive requests.',
  );

const queue = timeseries('Mean queue length', 'short', [
  line('own', history.ownQueue, `${server} own`),
  line('queue', history.queue, `${server} all`),
  line('point', history.saturationPoint, `${server} N*`, '15s'),
])
  .min(0)
  .overrideByQuery('point', dashed)
  .description(
    'Requests in the tier on average: own are those that wait for no tier behind it, all also counts the others; ' +
      'dashed is N\\* of the own queue. The mean may stay below N\\* while many windows are beyond it: see the states.',
  );

const outstanding = timeseries('Calls outstanding between tiers', 'short', [
  line('outstanding', history.outstanding, '{{from}} -> {{to}}'),
])
  .min(0)
  .description(
    'Calls of one tier to another that wait for an answer, on average. Flat at a cap while the queue of the ' +
      'calling tier grows: its connection pool is the limit; enlarge it.',
  );

const aborts = timeseries('Aborted requests', 'reqps', [line('aborts', history.aborts, server)])
  .min(0)
  .description(
    'Requests whose connection ended before the answer. A few are normal (browsers leave). Many, with a long ' +
      'queue: clients or the tier in front run into their timeouts.',
  );

const neighbours = timeseries('Users of the processors and disks that tiers waited for', 's', [
  line('processors', history.processors, '{{tier}}: {{neighbour}}, processor', '15s'),
  line('disks', history.disks, '{{tier}}: {{neighbour}}, disk {{operation}}', '15s'),
])
  .min(0)
  .description(
    "Seconds per second for which the tier's threads waited for a processor that another program had, or for a disk " +
      'that another program used; the three programs that took most, none of the same application. Move or limit ' +
      'the programs that are high while the tier has a long queue. No lines: no other program holds the tier up.',
  );

export const past: Row = {
  title: 'History, for long time ranges',
  tiles: [
    { panel: states, w: 24, h: 8 },
    { panel: throughput, w: 12, h: 8 },
    { panel: queue, w: 12, h: 8 },
    { panel: outstanding, w: 12, h: 7 },
    { panel: aborts, w: 12, h: 7 },
    { panel: neighbours, w: 24, h: 7 },
  ],
};
