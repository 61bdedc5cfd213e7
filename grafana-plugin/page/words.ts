// SPDX-License-Identifier: Apache-2.0
import { MappingType, ValueMapping } from '@grafana/data';
import { Panel } from '../host/dashboard';

/** A label's value in words; the value itself, without underscores, if the dashboard has no words for it. */
export type Words = (value: string) => string;

/** What the dashboard writes instead of the values of a table's column. */
export function wordsOf(panel: Panel | undefined, column: string): Words {
  const overrides = panel?.fieldConfig?.overrides ?? [];
  const mappings = overrides
    .filter(({ matcher }) => matcher.options === column)
    .flatMap(({ properties }) => properties.filter(({ id }) => id === 'mappings'))
    .flatMap(({ value }) => value as ValueMapping[]);
  const words = new Map(
    mappings.flatMap((mapping) => (mapping.type === MappingType.ValueToText ? Object.entries(mapping.options) : []))
  );
  return (value) => words.get(value)?.text ?? value.replaceAll('_', ' ');
}
