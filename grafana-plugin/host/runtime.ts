// SPDX-License-Identifier: Apache-2.0
// The part of @grafana/runtime that a panel needs outside of Grafana; the real one wants Grafana's server behind it.
import { EventBus, EventBusSrv, GrafanaTheme2 } from '@grafana/data';

const appEvents: EventBus = new EventBusSrv();

/** The bus that everything in one window shares. */
export function getAppEvents(): EventBus {
  return appEvents;
}

/** What Grafana's server tells the browser when it starts. */
export const config: { theme2?: GrafanaTheme2; bootData: { user: { timezone: string } } } = {
  bootData: { user: { timezone: 'browser' } },
};

const stub: Record<string, unknown> = { getAppEvents, config };

// What the loader of a bundle looks for in any module, present or not.
const PROBES = new Set<PropertyKey>(['__esModule', 'default', 'then']);

/** @grafana/runtime for a plugin: what is not there fails where it is used, by name. */
export const runtime = new Proxy(stub, {
  get(target, name) {
    if (name in target || PROBES.has(name) || typeof name === 'symbol') {
      return target[name as string];
    }
    throw new Error(
      `the plugin uses ${name} of @grafana/runtime, which this host does not have: add it to host/runtime.ts`
    );
  },
});
