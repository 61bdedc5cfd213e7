// SPDX-License-Identifier: Apache-2.0
//
// Nstar as a monitoring mixin: the same dashboards, rules and alerts as the files beside it, for those who manage theirs
// with Jsonnet. Needs go-jsonnet 0.18 or newer (std.parseYaml).
//
//   local nstar = import 'github.com/nstar-project/nstar/dashboards/mixin.libsonnet';
//
// The alerts look at the recorded series: load both.
local groups(file) = std.parseYaml(file).groups;

{
  grafanaDashboards+:: {
    'bottlenecks.json': import 'bottlenecks.json',
    'capacity.json': import 'capacity.json',
  },

  prometheusRules+:: {
    groups+: groups(importstr '../rules/curve.yaml')
             + groups(importstr '../rules/tiers.yaml')
             + groups(importstr '../rules/judgement.yaml')
             + groups(importstr '../rules/cores.yaml')
             + groups(importstr '../rules/colocated.yaml')
             + groups(importstr '../rules/waiting.yaml')
             + groups(importstr '../rules/indicators.yaml')
             + groups(importstr '../rules/indicators_systems.yaml')
             + groups(importstr '../rules/indicators_pipeline.yaml')
             + groups(importstr '../rules/indicators_capacity.yaml'),
  },

  prometheusAlerts+:: {
    groups+: groups(importstr '../rules/alerts_bottleneck.yaml')
             + groups(importstr '../rules/alerts_exporter.yaml')
             + groups(importstr '../rules/alerts_capacity.yaml')
             + groups(importstr '../rules/alerts_cores.yaml'),
  },
}
