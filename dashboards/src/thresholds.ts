// SPDX-License-Identifier: Apache-2.0
import { type Threshold, ThresholdsConfigBuilder, ThresholdsMode } from '@grafana/grafana-foundation-sdk/dashboard';

/** The colour below the first limit, then pairs of a limit and the colour from there on. */
export function steps(base: string, ...pairs: Array<[number, string]>): Threshold[] {
  return [{ value: null, color: base }, ...pairs.map(([value, color]) => ({ value, color }))];
}

export function thresholds(list: Threshold[]): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(list);
}
