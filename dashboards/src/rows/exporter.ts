// SPDX-License-Identifier: Apache-2.0
import { BigValueColorMode, BigValueGraphMode, GraphDrawStyle } from '@grafana/grafana-foundation-sdk/common';
import type { ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard';
import type { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';

import { ALARM, NOTED, OK } from '../colours.js';
import type { Row } from '../layout.js';
import { runbook } from '../links.js';
import { exporter } from '../queries.js';
import { DATASOURCE, instant, line } from '../target.js';
import { steps, thresholds } from '../thresholds.js';
import { timeseries } from '../timeseries.js';

function stat(title: string, unit: string, query: DataqueryBuilder): StatBuilder {
  return new StatBuilder()
    .title(title)
    .datasource(DATASOURCE)
    .withTarget(query.legendFormat('{{instance}}'))
    .unit(unit)
    .colorMode(BigValueColorMode.Background)
    .graphMode(BigValueGraphMode.None);
}

const UP = { type: 'value', options: { 0: { text: 'down' }, 1: { text: 'up' } } } as unknown as ValueMapping;

const up = stat('Exporter', 'none', instant('up', exporter.up))
  .mappings([UP])
  .thresholds(thresholds(steps(ALARM, [1, OK])))
  .description(
    `Whether Prometheus reaches /metrics and /windows of each exporter. Down: its tiers have no states, and their ` +
      `alerts cannot fire (${runbook('NstarExporterDown')}).`,
  );

const age = stat('Age of the newest window', 's', instant('age', exporter.age))
  .decimals(1)
  .thresholds(thresholds(steps(OK, [5, NOTED], [30, ALARM])))
  .description(
    'Usually 1 to 2 s: windows settle for half a second and are scraped each second. The rules look 2 s back; ' +
      'they miss windows that come later. More than 2 s: a slow scrape, or an exporter that is held up.',
  );

const arrived = timeseries('Windows that reached Prometheus', 'percentunit', [
  line('arrived', exporter.arrived, '{{instance}}', '10s'),
])
  .min(0)
  .max(1)
  .description(
    `Share of all windows, 10 s late. 0: none, as while the exporter is down. Below 100 %: scrapes of /windows ` +
      `fail or are cut off (${runbook('NstarExporterLosingData')}). Windows that an outage shorter than ` +
      `--windows.retention (2 minutes) held back are filled in afterwards, but the rules do not see them any more.`,
  );

const settled = timeseries('Windows handed out', 'ops', [line('settled', exporter.settled, '{{instance}}')])
  .min(0)
  .description('Windows per second: 20 at a width of 50 ms. Fewer: the exporter gets too little CPU time.');

const drift = timeseries('Drift', 'short', [line('drift', exporter.drift, '{{tier}} {{instance}}')]).description(
  `Requests by which the carried queue length differs from the connections' own count. 0 when all is well; the ` +
    `exporter corrects a constant difference after a minute (${runbook('NstarExporterLosingData')}).`,
);

const dropped = timeseries('Dropped, by reason', 'short', [
  line('dropped', exporter.dropped, '{{reason}} {{instance}}', '10s'),
])
  .min(0)
  .drawStyle(GraphDrawStyle.Bars)
  .fillOpacity(60)
  .description(
    `What was not measured: each bar since the one before it; a counter that appears counts from zero. The reason ` +
      `says which table is too small or what to ignore (${runbook('NstarExporterLosingData')}). ` +
      `multiplexed_protocol is by design.`,
  );

const cost = timeseries('Cost of the kernel programs', 'percentunit', [
  line('cost', exporter.cost, '{{instance}} share of a core'),
  line('run', exporter.costPerRun, '{{instance}} per run'),
])
  .min(0)
  .overrideByQuery('run', [
    { id: 'unit', value: 's' },
    { id: 'custom.axisPlacement', value: 'right' },
  ])
  .noValue('The kernel keeps no statistics (start the exporter with --bpf.stats and CAP_SYS_ADMIN)')
  .description(
    "By the kernel's own statistics, which are a part of this cost: CPU time of all programs in cores, and per run " +
      '(usually 0.2 to 0.7 microseconds). Absent if the statistics are off.',
  );

const scrape = timeseries('Duration of a scrape', 's', [line('scrape', exporter.scrape, '{{job}} {{instance}}')])
  .min(0)
  .description('Longest scrape of the last few. Near the scrape interval: windows arrive late or not at all.');

export const exporters: Row = {
  title: 'Exporter health',
  collapsed: true,
  tiles: [
    { panel: up, w: 6, h: 7 },
    { panel: age, w: 6, h: 7 },
    { panel: arrived, w: 12, h: 7 },
    { panel: settled, w: 8, h: 7 },
    { panel: scrape, w: 8, h: 7 },
    { panel: drift, w: 8, h: 7 },
    { panel: dropped, w: 12, h: 7 },
    { panel: cost, w: 12, h: 7 },
  ],
};
