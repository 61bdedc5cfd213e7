// SPDX-License-Identifier: Apache-2.0
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';

/** The data source that the variable of this name chooses. */
export const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

function target(refId: string, expr: string): DataqueryBuilder {
  return new DataqueryBuilder().datasource(DATASOURCE).refId(refId).expr(expr);
}

/** One value per series, at the end of the time range. */
export function instant(refId: string, expr: string): DataqueryBuilder {
  return target(refId, expr).instant().format(PromQueryFormat.TimeSeries);
}

/** One row per series, at the end of the time range. */
export function row(refId: string, expr: string): DataqueryBuilder {
  return target(refId, expr).instant().format(PromQueryFormat.Table);
}

/** A line per series. The minimum step is how often there is a sample; counters take it from the data source. */
export function line(refId: string, expr: string, legend: string, minStep?: string): DataqueryBuilder {
  const query = target(refId, expr).range().format(PromQueryFormat.TimeSeries).legendFormat(legend);
  return minStep === undefined ? query : query.interval(minStep);
}
