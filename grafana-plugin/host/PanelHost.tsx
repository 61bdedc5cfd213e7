// SPDX-License-Identifier: Apache-2.0
import React, { useCallback, useMemo, useState } from 'react';
import {
  AbsoluteTimeRange,
  DashboardCursorSync,
  EventBus,
  FieldConfigSource,
  getPanelOptionsWithDefaults,
  PanelData,
  PanelPlugin,
  PanelProps,
  TimeZone,
} from '@grafana/data';
import { PanelContextProvider } from '@grafana/ui';
import { Shown } from './dashboard';
import { Guard } from './Guard';
import { fillText } from './interpolate';

export interface PanelHostProps {
  plugin: PanelPlugin;
  shown: Shown;
  data: PanelData;
  timeZone: TimeZone;
  width: number;
  height: number;
  /** The dashboard's bus; the panel gets a part of it. */
  eventBus: EventBus;
  /** What of the pointer the panels of the dashboard share. */
  sync: DashboardCursorSync;
  onChangeTimeRange: (range: AbsoluteTimeRange) => void;
}

const NO_FIELD_CONFIG: FieldConfigSource = { defaults: {}, overrides: [] };

/** Shows one panel as Grafana would: with the defaults of its options, and so that its errors stay its own. */
export function PanelHost({ plugin, shown, data, eventBus, sync, ...rest }: PanelHostProps) {
  const { panel, key, title, scope } = shown;
  const [changed, setChanged] = useState<Record<string, unknown>>();
  const { options, fieldConfig } = useMemo(
    () =>
      getPanelOptionsWithDefaults({
        plugin,
        currentOptions: changed ?? panel.options ?? {},
        currentFieldConfig: panel.fieldConfig ?? NO_FIELD_CONFIG,
        isAfterPluginChange: false,
      }),
    [plugin, panel, changed]
  );
  const bus = useMemo(
    () => eventBus.newScopedBus(`panel-${key}`, { onlyLocal: sync === DashboardCursorSync.Off }),
    [eventBus, key, sync]
  );
  const context = useMemo(() => ({ eventsScope: 'page', eventBus: bus, sync: () => sync }), [bus, sync]);
  const replaceVariables = useCallback((text: string) => fillText(text, scope), [scope]);

  const Panel = plugin.panel as React.ComponentType<PanelProps>;
  return (
    <Guard what="This panel" data={data}>
      <PanelContextProvider value={context}>
        <Panel
          {...rest}
          // The copies of a repeated panel have one id, as in Grafana.
          id={panel.id}
          title={title}
          data={data}
          timeRange={data.timeRange}
          options={options}
          onOptionsChange={setChanged}
          fieldConfig={fieldConfig}
          onFieldConfigChange={() => undefined}
          transparent={false}
          renderCounter={0}
          eventBus={bus}
          replaceVariables={replaceVariables}
        />
      </PanelContextProvider>
    </Guard>
  );
}
