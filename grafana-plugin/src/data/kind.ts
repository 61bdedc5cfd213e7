// SPDX-License-Identifier: Apache-2.0

/** What the panel can read, by the name that a query for it has (its refId), and the metric that it asks for. */
export const METRICS = {
  queue: 'nstar_window_queue_length',
  throughput: 'nstar_window_throughput',
  residence: 'nstar_window_residence_seconds',
  gc: 'nstar_window_gc_ratio',
  saturation_point: 'nstar:tier_saturation_point:queue_length',
  max_throughput: 'nstar:tier_max_throughput:requests_per_second',
  curve_queue: 'nstar:tier_load_queue_length:mean15m',
  curve_throughput: 'nstar:tier_load_throughput:requests_per_second15m',
  curve_windows: 'nstar:tier_load_windows:increase15m',
  state_share: 'nstar:tier_state_share:ratio10s',
  window_width: 'nstar:window_width:seconds',
  edges: 'nstar_edge_calls_total',
} as const;

export type Kind = keyof typeof METRICS;

const BY_NAME = new Map<string, Kind>(
  Object.entries(METRICS).flatMap(([kind, metric]) => [
    [kind, kind as Kind],
    [metric, kind as Kind],
  ])
);

/**
 * The kind that the first telling name stands for: the query's name, then the metric's, then the field's. Tables of
 * several queries call their fields "Value #query".
 */
export function kindOf(...names: Array<string | undefined>): Kind | null {
  for (const name of names) {
    const kind = name && BY_NAME.get(name.replace(/^Value #/, ''));
    if (kind) {
      return kind;
    }
  }
  return null;
}
