// SPDX-License-Identifier: Apache-2.0
import React, { ReactNode } from 'react';
import { act, renderHook } from '@testing-library/react';
import { DashboardCursorSync, DataHoverClearEvent, DataHoverEvent, EventBusSrv } from '@grafana/data';
import { PanelContext, PanelContextProvider } from '@grafana/ui';
import { publishTime, useSharedTime } from './hover';

function follow(sync?: DashboardCursorSync) {
  const bus = new EventBusSrv();
  const own = bus.newScopedBus('own', { onlyLocal: false });
  const other = bus.newScopedBus('other', { onlyLocal: false });
  const subscribed = jest.spyOn(own, 'subscribe');
  const context: PanelContext = {
    eventsScope: 'own',
    eventBus: own,
    sync: sync === undefined ? undefined : () => sync,
  };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <PanelContextProvider value={context}>{children}</PanelContextProvider>
  );
  return { own, other, subscribed, ...renderHook(() => useSharedTime(own), { wrapper }) };
}

describe('useSharedTime', () => {
  it('follows the pointer in another panel until it leaves', () => {
    const { other, result } = follow();
    expect(result.current).toBeNull();
    act(() => publishTime(other, 1234));
    expect(result.current).toBe(1234);
    act(() => publishTime(other, null));
    expect(result.current).toBeNull();
  });

  it('does not follow itself', () => {
    const { own, other, result } = follow();
    act(() => publishTime(own, 1));
    expect(result.current).toBeNull();
    act(() => publishTime(other, 2));
    act(() => publishTime(own, null));
    expect(result.current).toBe(2);
  });

  it('forgets the time when another panel points to something without one', () => {
    const { other, result } = follow();
    act(() => publishTime(other, 1234));
    act(() => other.publish(new DataHoverEvent({ point: { x: 7 } })));
    expect(result.current).toBeNull();
  });

  it('does not follow in a dashboard without a shared crosshair', () => {
    const { other, result } = follow(DashboardCursorSync.Off);
    act(() => publishTime(other, 1234));
    expect(result.current).toBeNull();
  });

  it('stops listening', () => {
    const { subscribed, unmount } = follow(DashboardCursorSync.Crosshair);
    const subscriptions = subscribed.mock.results.map(({ value }) => value);
    expect(subscriptions.map(({ closed }) => closed)).toEqual([false, false]);
    unmount();
    expect(subscriptions.map(({ closed }) => closed)).toEqual([true, true]);
  });
});

test("publishTime sends what Grafana's own panels send", () => {
  const bus = new EventBusSrv();
  const events: unknown[] = [];
  bus.subscribe(DataHoverEvent, ({ type, payload }) => events.push([type, payload]));
  bus.subscribe(DataHoverClearEvent, ({ type }) => events.push([type]));
  publishTime(bus, 99);
  publishTime(bus, null);
  expect(events).toEqual([['data-hover', { point: { time: 99 } }], ['data-hover-clear']]);
});
