// SPDX-License-Identifier: Apache-2.0
import React, { useCallback, useMemo, useState } from 'react';
import {
  AbsoluteTimeRange,
  EventBus,
  FieldConfigSource,
  getPanelOptionsWithDefaults,
  PanelData,
  PanelPlugin,
  PanelProps,
  TimeZone,
} from '@grafana/data';
import { Shown } from './dashboard';
import { Guard } from './Guard';
import { fillText } from './interpolate';

interface Props {
  plugin: PanelPlugin;
  shown: Shown;
  data: PanelData;
  timeZone: TimeZone;
  width: number;
  height: number;
  /** The dashboard's bus; the panel gets a part of it. */
  eventBus: EventBus;
  /** The panel hears what other panels hover, too. */
  sharesHover: boolean;
  onChangeTimeRange: (range: AbsoluteTimeRange) => void;
}

const NO_FIELD_CONFIG: FieldConfigSource = { defaults: {}, overrides: [] };

/** Shows one panel as Grafana would: with the defaults of its options, and so that its errors stay its own. */
export function PanelHost({ plugin, shown, data, eventBus, sharesHover, ...rest }: Props) {
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
    () => eventBus.newScopedBus(`panel-${key}`, { onlyLocal: !sharesHover }),
    [eventBus, key, sharesHover]
  );
  const replaceVariables = useCallback((text: string) => fillText(text, scope), [scope]);

  const Panel = plugin.panel as React.ComponentType<PanelProps>;
  return (
    <Guard data={data}>
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
    </Guard>
  );
}
