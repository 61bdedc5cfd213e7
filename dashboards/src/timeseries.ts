// SPDX-License-Identifier: Apache-2.0
import {
  GraphDrawStyle,
  LegendDisplayMode,
  LegendPlacement,
  LineStyleBuilder,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type DynamicConfigValue,
  FieldColorBuilder,
  FieldColorModeId,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

import { DATASOURCE } from './target.js';

/** Lines over time. */
export function timeseries(title: string, unit: string, queries: DataqueryBuilder[]): PanelBuilder {
  return new PanelBuilder()
    .title(title)
    .datasource(DATASOURCE)
    .targets(queries)
    .unit(unit)
    .drawStyle(GraphDrawStyle.Line)
    .lineWidth(1)
    .fillOpacity(0)
    .showPoints(VisibilityMode.Never)
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.PaletteClassic))
    .legend(
      new VizLegendOptionsBuilder()
        .showLegend(true)
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .calcs([]),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending));
}

/** Areas on top of each other: what is shown adds up. */
export function stacked(panel: PanelBuilder): PanelBuilder {
  return panel
    .min(0)
    .lineWidth(0)
    .fillOpacity(80)
    .stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'));
}

/** For a query's series that are a bound, not a course. */
export const dashed: DynamicConfigValue[] = [
  { id: 'custom.lineStyle', value: new LineStyleBuilder().fill('dash').dash([6, 6]).build() },
];
