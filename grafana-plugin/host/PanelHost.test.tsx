// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { act, render, screen } from '@testing-library/react';
import {
  DashboardCursorSync,
  dateTime,
  EventBusSrv,
  LoadingState,
  PanelData,
  PanelPlugin,
  PanelProps,
} from '@grafana/data';
import { Panel } from './dashboard';
import { standInEditors } from './editors';
import { PanelHost } from './PanelHost';

const from = dateTime(1000);
const to = dateTime(2000);
const data: PanelData = { state: LoadingState.Done, series: [], timeRange: { from, to, raw: { from, to } } };
const panel: Panel = { id: 9, type: 'ours', gridPos: { x: 0, y: 0, w: 8, h: 8 }, options: { view: 'states' } };
const shown = { key: '9-tomcat', panel, title: 'Of tomcat', scope: new Map([['tier', { values: ['tomcat'] }]]) };

beforeAll(standInEditors);

function host(Component: React.ComponentType<PanelProps>) {
  const plugin = new PanelPlugin(Component).setPanelOptions((builder) =>
    builder
      .addRadio({ path: 'view', name: 'View', defaultValue: 'sequence', settings: { options: [] } })
      .addBooleanSwitch({ path: 'showCurve', name: 'Curve', defaultValue: true })
  );
  const eventBus = new EventBusSrv();
  return (answer = data) => (
    <PanelHost
      plugin={plugin}
      shown={shown}
      data={answer}
      timeZone="utc"
      width={400}
      height={300}
      eventBus={eventBus}
      sync={DashboardCursorSync.Crosshair}
      onChangeTimeRange={jest.fn()}
    />
  );
}

describe('PanelHost', () => {
  it('hands over what Grafana would, with the defaults of options that the dashboard does not set', () => {
    const seen: PanelProps[] = [];
    const Spy = (props: PanelProps) => {
      seen.push(props);
      return null;
    };
    render(host(Spy)());
    expect(seen[0]).toMatchObject({ id: 9, title: 'Of tomcat', width: 400, height: 300, timeZone: 'utc', data });
    expect(seen[0].options).toEqual({ view: 'states', showCurve: true });
    expect(seen[0].timeRange).toBe(data.timeRange);
    expect(seen[0].replaceVariables('tier $tier')).toBe('tier tomcat');
    act(() => seen[0].onOptionsChange({ view: 'sequence' }));
    expect(seen.at(-1)!.options).toEqual({ view: 'sequence', showCurve: true });
  });

  it('shows the error of a panel in its place, and tries again with new data', () => {
    const Fragile = (props: PanelProps) => {
      if (props.data === data) {
        throw new Error('no windows');
      }
      return <p>drawn</p>;
    };
    const silent = jest.spyOn(console, 'error').mockImplementation();
    const at = host(Fragile);
    const { rerender } = render(at());
    expect(screen.getByRole('alert')).toHaveTextContent('This panel failed: no windows.');
    rerender(at({ ...data }));
    expect(screen.getByText('drawn')).toBeInTheDocument();
    silent.mockRestore();
  });
});
