// SPDX-License-Identifier: Apache-2.0
import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';

import { values } from './queries.js';
import { DATASOURCE } from './target.js';

function asked(name: string, label: string, query: string): QueryVariableBuilder {
  return (
    new QueryVariableBuilder(name)
      .label(label)
      .datasource(DATASOURCE)
      .query({ query, refId: name })
      .definition(query)
      // The time range may lie in the past, when there were other tiers.
      .refresh(VariableRefresh.OnTimeRangeChanged)
  );
}

// ".+" instead of a list of all values: queries stay short, and also match a tier that has just appeared.
const many = (variable: QueryVariableBuilder) =>
  variable
    .sort(VariableSort.AlphabeticalAsc)
    .multi(true)
    .includeAll(true)
    .allValue('.+')
    .current({ text: 'All', value: '$__all' });

/** What every dashboard lets one choose. Indicators are of tiers, whichever exporters see them. */
export const tierVariables = [
  new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus').regex(''),
  // The first is chosen at the start: the one that does most, not "default", which is whatever nobody has configured.
  asked('app', 'Application', values.app).regex('/app="([^"]*)"/').sort(VariableSort.Disabled),
  many(asked('tier', 'Tier', values.tier)),
];

export const variables = [
  ...tierVariables,
  many(asked('instance', 'Instance', values.instance)).description('Address of the exporter, as in the label instance'),
];
