// SPDX-License-Identifier: Apache-2.0

/** What the panel can read, by the name that a query for it has (its refId), and the metric that it asks for. */
export const METRICS = {
  own_queue: 'nstar_window_own_queue_length',
  queue: 'nstar_window_queue_length',
  throughput: 'nstar_window_throughput',
  residence: 'nstar_window_residence_seconds',
  gc: 'nstar_window_gc_ratio',
  state: 'nstar_window_state',
  saturation_point: 'nstar_tier_saturation_point_queue_length',
  saturation_point_low: 'nstar_tier_saturation_point_queue_length_low',
  saturation_point_high: 'nstar_tier_saturation_point_queue_length_high',
  saturation_status: 'nstar_tier_saturation_status',
  max_throughput: 'nstar_tier_max_throughput_requests_per_second',
  own_curve_queue: 'nstar:tier_own_load_queue_length:mean15m',
  own_curve_throughput: 'nstar:tier_own_load_throughput:requests_per_second15m',
  own_curve_windows: 'nstar:tier_own_load_windows:increase15m',
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
