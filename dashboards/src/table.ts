// SPDX-License-Identifier: Apache-2.0
import { FieldTextAlignment } from '@grafana/grafana-foundation-sdk/common';
import type { DynamicConfigValue, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard';
import type { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/table';

import { DATASOURCE } from './target.js';

/** A column: a label, or the value of a query of the table. */
export interface Column {
  from: string;
  name: string;
  properties?: DynamicConfigValue[];
}

/** The field of a query's values; Grafana numbers them only where there are several queries. */
export function valueOf(refId: string): string {
  return `Value #${refId}`;
}

/**
 * A table that joins the queries' series by their common labels. Columns appear as listed; labels that are not listed
 * are hidden. Sorted by the first column unless it says otherwise, largest first.
 */
export function table(title: string, queries: DataqueryBuilder[], columns: Column[], hidden: string[]): PanelBuilder {
  const panel = new PanelBuilder()
    .title(title)
    .datasource(DATASOURCE)
    .targets(queries)
    .unit('short')
    .filterable(false)
    .minWidth(60)
    .align(FieldTextAlignment.Left)
    .withTransformation({ id: 'merge', options: {} })
    .withTransformation({
      id: 'organize',
      options: {
        excludeByName: Object.fromEntries(['Time', ...hidden].map((name) => [name, true])),
        indexByName: Object.fromEntries(columns.map((column, index) => [column.from, index])),
        renameByName: Object.fromEntries(columns.map((column) => [column.from, column.name])),
      },
    });
  for (const { name, properties = [] } of columns) {
    // An empty cell; the panel's own text is for a table without rows.
    panel.overrideByName(name, [...noValue('-'), ...properties]);
  }
  return panel;
}

export const unit = (id: string, decimals?: number): DynamicConfigValue[] =>
  decimals === undefined
    ? [{ id: 'unit', value: id }]
    : [
        { id: 'unit', value: id },
        { id: 'decimals', value: decimals },
      ];

export const noValue = (text: string): DynamicConfigValue[] => [{ id: 'noValue', value: text }];

export const width = (pixels: number): DynamicConfigValue[] => [{ id: 'custom.width', value: pixels }];

/** Words instead of what is recorded, on their colour; as text where none of them has one. */
export function words(meaning: Record<string, { text: string; color?: string }>): DynamicConfigValue[] {
  const mappings = [{ type: 'value', options: meaning }] as unknown as ValueMapping[];
  const onColour = Object.values(meaning).some(({ color }) => color !== undefined);
  return [
    { id: 'mappings', value: mappings },
    ...(onColour ? [{ id: 'custom.cellOptions', value: { type: 'color-background', mode: 'basic' } }] : []),
  ];
}

/** A bar behind the number, from none to the largest of the column. */
export const bar = (color: string): DynamicConfigValue[] => [
  { id: 'custom.cellOptions', value: { type: 'gauge', mode: 'basic', valueDisplayMode: 'text' } },
  { id: 'color', value: { mode: 'fixed', fixedColor: color } },
  { id: 'min', value: 0 },
];
