// SPDX-License-Identifier: Apache-2.0
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/dashboard';

import { panel as query } from './queries.js';
import { DATASOURCE, instant, line } from './target.js';

// The panel knows the queries by their refId; grafana-plugin/README.md lists them.
const WINDOW = '50ms';

const windows = (...names: Array<'own_queue' | 'queue' | 'throughput' | 'residence' | 'gc' | 'state'>) =>
  names.map((name) => line(name, query[name], '{{tier}}', WINDOW));

const limits = [
  instant('saturation_point', query.saturation_point),
  instant('saturation_point_low', query.saturation_point_low),
  instant('saturation_point_high', query.saturation_point_high),
  instant('saturation_status', query.saturation_status),
  instant('max_throughput', query.max_throughput),
];

const width = instant('window_width', query.window_width);

function mainSequencePanel(view: 'sequence' | 'states'): PanelBuilder {
  return (
    new PanelBuilder()
      .type('nstar-mainsequence-panel')
      .datasource(DATASOURCE)
      // Prometheus refuses more than 11,000 points per series, and Grafana rounds the step to a usual interval, down by
      // up to 1.75 times. This is the largest number that is safe; it shows every window of up to 7 min 50 s.
      .maxDataPoints(6285)
      .unit('short')
      .options({
        view,
        queue: 'own',
        queueScale: 'linear',
        showCurve: true,
        showQueue: true,
        showGc: true,
        showLegend: true,
      })
  );
}

/** Throughput against queue length. */
export function sequence(): PanelBuilder {
  return mainSequencePanel('sequence').targets([
    ...windows('own_queue', 'queue', 'throughput', 'residence', 'gc', 'state'),
    ...limits,
    instant('own_curve_queue', query.own_curve_queue),
    instant('own_curve_throughput', query.own_curve_throughput),
    instant('own_curve_windows', query.own_curve_windows),
    instant('curve_queue', query.curve_queue),
    instant('curve_throughput', query.curve_throughput),
    instant('curve_windows', query.curve_windows),
    instant('edges', query.edges),
    width,
  ]);
}

/** States over time. */
export function states(): PanelBuilder {
  return mainSequencePanel('states').targets([
    ...windows('own_queue', 'throughput', 'gc', 'state'),
    ...limits,
    line('state_share', query.state_share, '{{tier}} {{state}}', '10s'),
    instant('edges', query.edges),
    width,
  ]);
}
