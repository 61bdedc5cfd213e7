// SPDX-License-Identifier: Apache-2.0
import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';

import { values } from './queries.js';
import { DATASOURCE } from './target.js';

function labelValues(name: string, label: string, query: string): QueryVariableBuilder {
  return (
    new QueryVariableBuilder(name)
      .label(label)
      .datasource(DATASOURCE)
      .query({ query, refId: name })
      .definition(query)
      .sort(VariableSort.AlphabeticalAsc)
      // The time range may lie in the past, when there were other tiers.
      .refresh(VariableRefresh.OnTimeRangeChanged)
  );
}

// ".+" instead of a list of all values: queries stay short, and also match a tier that has just appeared.
const many = (variable: QueryVariableBuilder) =>
  variable.multi(true).includeAll(true).allValue('.+').current({ text: 'All', value: '$__all' });

export const variables = [
  new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus').regex(''),
  labelValues('app', 'Application', values.app),
  many(labelValues('tier', 'Tier', values.tier)),
  many(labelValues('instance', 'Instance', values.instance)).description(
    'Address of the exporter, as in the label instance',
  ),
];
