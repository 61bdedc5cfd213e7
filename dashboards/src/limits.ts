// SPDX-License-Identifier: Apache-2.0

/**
 * Where the alerts fire (rules/alerts_bottlenecks.yaml): means over a minute. Tables and threshold lines turn red exactly
 * there; limits_test.go compares them with the rules.
 */
export const LIMIT = {
  saturatedShare: 0.2,
  frozenShare: 0.03,
  turnsCorrelation: -0.3,
  turnsShare: 0.02,
  causeCorrelation: 0.3,
  causeFrozenShare: 0.02,
};
