// SPDX-License-Identifier: Apache-2.0
import { StackingConfigBuilder, StackingMode } from '@grafana/grafana-foundation-sdk/common';

import { STATE_COLOUR } from '../colours.js';
import type { Row } from '../layout.js';
import { runbook } from '../links.js';
import { history } from '../queries.js';
import { line } from '../target.js';
import { dashed, timeseries } from '../timeseries.js';

const server = '{{tier}} {{instance}}';

const states = timeseries('States of $tier', 'percentunit', [line('share', history.states, '{{state}}', '10s')])
  .min(0)
  .max(1)
  .lineWidth(0)
  .fillOpacity(80)
  .stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'))
  .repeat('tier')
  .repeatDirection('h')
  .maxPerRow(3)
  .description(
    'Share of the windows in each state; of a tier on several servers, the mean over them. Saturated and frozen exist only ' +
      'once N\\* is known. More amber or red than yesterday at the same throughput: the tier has become slower ' +
      `(${runbook('NstarTierSaturated')}).`,
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
    'Completed requests per second, and dashed the best that the tier was seen to do in 15 minutes (TPmax). A TPmax that ' +
      'falls is lost capacity: fewer cores, a neighbour, dearer requests.',
  );

const queue = timeseries('Mean queue length', 'short', [
  line('queue', history.queue, server),
  line('point', history.saturationPoint, `${server} N*`, '15s'),
])
  .min(0)
  .overrideByQuery('point', dashed)
  .description(
    'Requests in the tier on average, from the cumulative counters, and dashed N\\*. The mean may stay below N\\* while ' +
      'many windows are beyond it: see the states.',
  );

const outstanding = timeseries('Calls outstanding between tiers', 'short', [
  line('outstanding', history.outstanding, '{{from}} -> {{to}}'),
])
  .min(0)
  .description(
    'Calls of one tier to another that wait for an answer, on average. Flat at a cap while the queue of the calling tier ' +
      'grows: its connection pool is the limit; enlarge it.',
  );

const aborts = timeseries('Aborted requests', 'reqps', [line('aborts', history.aborts, server)])
  .min(0)
  .description(
    'Requests whose connection ended before the answer. A few are normal (browsers leave). Many, with a long queue: clients ' +
      'or the tier in front run into their timeouts.',
  );

export const past: Row = {
  title: 'History, for long time ranges',
  tiles: [
    { panel: states, w: 24, h: 8 },
    { panel: throughput, w: 12, h: 8 },
    { panel: queue, w: 12, h: 8 },
    { panel: outstanding, w: 12, h: 7 },
    { panel: aborts, w: 12, h: 7 },
  ],
};
