// SPDX-License-Identifier: Apache-2.0
import { PanelOptionsEditorBuilder, standardEditorsRegistry } from '@grafana/data';
import { plugin } from './module';
import { Options, View } from './types';

jest.mock('./components/Panel', () => ({ Panel: () => null }));

const EDITORS = ['radio', 'boolean'];
standardEditorsRegistry.setInit(() => EDITORS.map((id) => ({ id, name: id, editor: () => null })));

/** The options as the panel's editor lists them. */
function items() {
  const builder = new PanelOptionsEditorBuilder<Options>();
  plugin.getPanelOptionsSupplier()(builder, { data: [], options: {} as Options });
  return builder.getItems();
}

const offered = (view: View) =>
  items()
    .filter(({ showIf }) => showIf?.({ ...plugin.defaults, view } as Options) ?? true)
    .map(({ path }) => path);

test('by default everything is drawn', () => {
  expect(plugin.defaults).toEqual({
    view: 'sequence',
    queue: 'own',
    queueScale: 'linear',
    showCurve: true,
    showQueue: true,
    showGc: true,
    showLegend: true,
  });
});

test('each view offers what it has', () => {
  expect(offered('sequence')).toEqual(['view', 'queue', 'queueScale', 'showCurve', 'showLegend']);
  expect(offered('states')).toEqual(['view', 'queue', 'showQueue', 'showGc', 'showLegend']);
});

test('every option says what it does', () => {
  for (const { name, description } of items()) {
    expect(name).toMatch(/^[A-Z]/);
    expect(description).toMatch(/\.$/);
  }
});
