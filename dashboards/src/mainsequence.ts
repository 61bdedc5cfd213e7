// SPDX-License-Identifier: Apache-2.0
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/dashboard';

import { panel as query } from './queries.js';
import { DATASOURCE, instant, line } from './target.js';

// The panel knows the queries by their refId; grafana-plugin/README.md lists them.
const WINDOW = '50ms';
const LEVEL = '15s';

const windows = (...names: Array<'queue' | 'throughput' | 'residence' | 'gc'>) =>
  names.map((name) => line(name, query[name], '{{tier}}', WINDOW));

const levels = [
  line('saturation_point', query.saturation_point, '{{tier}}', LEVEL),
  line('max_throughput', query.max_throughput, '{{tier}}', LEVEL),
];

const width = instant('window_width', query.window_width);

function mainSequencePanel(view: 'sequence' | 'states'): PanelBuilder {
  return (
    new PanelBuilder()
      .type('nstar-mainsequence-panel')
      .datasource(DATASOURCE)
      // Prometheus refuses more than 11,000 points per series, and Grafana rounds the step to a usual interval, down by up
      // to 1.75 times. This is the largest number that is safe; it shows every window of up to 7 min 50 s.
      .maxDataPoints(6285)
      .unit('short')
      .options({ view, queueScale: 'linear', showCurve: true, showQueue: true, showGc: true, showLegend: true })
  );
}

/** Throughput against queue length. */
export function sequence(): PanelBuilder {
  return mainSequencePanel('sequence').targets([
    ...windows('queue', 'throughput', 'residence', 'gc'),
    ...levels,
    instant('curve_queue', query.curve_queue),
    instant('curve_throughput', query.curve_throughput),
    instant('curve_windows', query.curve_windows),
    instant('edges', query.edges),
    width,
  ]);
}

/** Idle, normal, saturated, frozen over time. */
export function states(): PanelBuilder {
  return mainSequencePanel('states').targets([
    ...windows('queue', 'throughput', 'gc'),
    ...levels,
    line('state_share', query.state_share, '{{tier}} {{state}}', '10s'),
    instant('edges', query.edges),
    width,
  ]);
}
