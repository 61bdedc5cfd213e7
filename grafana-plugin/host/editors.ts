// SPDX-License-Identifier: Apache-2.0
import { standardEditorsRegistry, standardFieldConfigEditorRegistry } from '@grafana/data';

const KINDS = [
  'boolean',
  'color',
  'multi-select',
  'number',
  'radio',
  'select',
  'slider',
  'strings',
  'text',
  'timezone',
  'unit',
];

/**
 * A plugin looks up the editors of its options as soon as it is loaded. There is no panel editor outside of Grafana, so
 * editors that are never shown stand in for them.
 */
export function standInEditors() {
  standardEditorsRegistry.setInit(() => KINDS.map((id) => ({ id, name: id, editor: () => null })));
  standardFieldConfigEditorRegistry.setInit(() => []);
}
