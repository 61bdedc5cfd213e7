// SPDX-License-Identifier: Apache-2.0
import { PanelPlugin } from '@grafana/data';
import { importAmd, Modules } from './amd';
import { standInEditors } from './editors';

/** Loads a built panel plugin, unchanged. */
export async function loadPlugin(url: string, modules: Modules): Promise<PanelPlugin> {
  standInEditors();
  const { plugin } = (await importAmd(url, modules)) as { plugin?: PanelPlugin };
  if (!plugin?.panel) {
    throw new Error(`${url} exports no panel plugin`);
  }
  return plugin;
}
