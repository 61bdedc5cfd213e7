// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { DataHoverEvent, EventBusSrv } from '@grafana/data';
import { StatesEvents } from '../draw/statesPlot';
import { StatesScene } from '../draw/statesScene';
import { T0 } from '../fixtures/clock';
import { rangeOf, turns } from '../fixtures/tiers';
import { Options } from '../types';
import { publishSelection } from './selection';
import { StatesView } from './StatesView';
import { ViewProps } from './view';

const bus = new EventBusSrv();
jest.mock('@grafana/runtime', () => ({ getAppEvents: () => bus }));

// jsdom has no canvas: drawing is tested in a browser, and here only the arguments
const plot = { update: jest.fn(), point: jest.fn(), highlight: jest.fn(), destroy: jest.fn() };
const made = jest.fn();
jest.mock('../draw/statesPlot', () => ({
  AXIS_HEIGHT: 24,
  TOP: 4,
  StatesPlot: function (root: HTMLElement, scene: StatesScene, events: StatesEvents) {
    made(root, scene, events);
    return plot;
  },
}));

const PICTURE = turns(400);
const OPTIONS: Options = {
  view: 'states',
  queue: 'own',
  queueScale: 'linear',
  showCurve: true,
  showQueue: true,
  showGc: true,
  showLegend: true,
};

const props = (rest: Partial<ViewProps> = {}): ViewProps => ({
  picture: PICTURE,
  hidden: new Set<string>(),
  options: OPTIONS,
  width: 800,
  height: 400,
  ...rangeOf(400),
  timeZone: 'utc',
  eventBus: new EventBusSrv(),
  onZoom: jest.fn(),
  ...rest,
});

const firstScene = (): StatesScene => made.mock.calls[0][1];
const events = (): StatesEvents => made.mock.calls[0][2];
const lastScene = (): StatesScene => plot.update.mock.lastCall[0];

beforeEach(() => {
  jest.clearAllMocks();
});

describe('StatesView', () => {
  it('hands all tiers to the plot, each with its colour and what its lane may show', () => {
    render(<StatesView {...props()} />);
    const { lanes } = firstScene();
    expect(lanes.map(({ tier }) => tier.name)).toEqual(['web', 'app', 'db']);
    expect(new Set(lanes.map(({ colour }) => colour)).size).toBe(3);
    expect(lanes.map(({ lane }) => lane.gc !== null)).toEqual([false, true, false]);
    expect(lanes.every(({ lane }) => lane.queue !== null)).toBe(true);
  });

  it('obeys the options', () => {
    render(<StatesView {...props({ options: { ...OPTIONS, showQueue: false, showGc: false } })} />);
    expect(firstScene().lanes.every(({ lane }) => lane.queue === null && lane.gc === null)).toBe(true);
  });

  it('keeps the colours of the others when a tier is hidden', () => {
    const { rerender } = render(<StatesView {...props()} />);
    const [, app, db] = firstScene().lanes;
    rerender(<StatesView {...props({ hidden: new Set([PICTURE.tiers[0].key]) })} />);
    expect(lastScene().lanes.map(({ colour }) => colour)).toEqual([app.colour, db.colour]);
    expect(lastScene().lanes[0].lane.height).toBeGreaterThan(app.lane.height);
  });

  it('says so when every tier is hidden', () => {
    render(<StatesView {...props({ hidden: new Set(PICTURE.tiers.map(({ key }) => key)) })} />);
    expect(screen.getByText(/All tiers are hidden/)).toBeVisible();
  });

  it('is an image with a description', () => {
    render(<StatesView {...props()} />);
    expect(screen.getByRole('img')).toHaveAccessibleName(/^Saturation state over time\..* app: frozen 10\s%/);
  });

  it('keeps one plot through refreshes and resizes, and removes it at the end', () => {
    const { rerender, unmount } = render(<StatesView {...props()} />);
    rerender(<StatesView {...props({ picture: turns(401), ...rangeOf(401) })} />);
    rerender(<StatesView {...props({ width: 500, height: 200 })} />);
    expect(made).toHaveBeenCalledTimes(1);
    expect(lastScene()).toMatchObject({ width: 500, height: 200 });
    expect(plot.destroy).not.toHaveBeenCalled();
    unmount();
    expect(plot.destroy).toHaveBeenCalledTimes(1);
  });

  it('does not draw the lanes anew for the pointer', () => {
    const same = props();
    render(<StatesView {...same} />);
    act(() => events().onHover({ time: T0 + 100, perPixel: 5, x: 100, y: 50 }));
    act(() => events().onHover({ time: T0 + 300, perPixel: 5, x: 120, y: 50 }));
    expect(plot.update).not.toHaveBeenCalled();
  });

  it('says at the pointer what each tier did, and tells other panels the time', () => {
    const same = props();
    const heard: Array<number | null | undefined> = [];
    same.eventBus.subscribe(DataHoverEvent, ({ payload }) => heard.push(payload.point.time));
    render(<StatesView {...same} />);
    act(() => events().onHover({ time: T0 + 825, perPixel: 5, x: 100, y: 50 }));
    const tooltip = screen.getByRole('tooltip');
    expect(tooltip).toHaveTextContent('2026-01-05 09:00:00.850'); // the end of that window
    expect(screen.getByRole('row', { name: /^app frozen .* 100\s%$/ })).toBeVisible();
    expect(screen.getByRole('row', { name: /^db idle 0 0\/s$/ })).toBeVisible();
    expect(heard).toEqual([T0 + 825]);
    act(() => events().onHover(null));
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('follows the pointer of other panels and what is selected there', () => {
    const same = props();
    render(<StatesView {...same} />);
    const other = same.eventBus.newScopedBus('other', { onlyLocal: false });
    act(() => other.publish(new DataHoverEvent({ point: { time: T0 + 5 } })));
    expect(plot.point).toHaveBeenLastCalledWith(T0 + 5);
    const episodes = [{ from: T0, to: T0 + 200 }];
    act(() => publishSelection({ source: 'other', episodes }));
    expect(plot.highlight).toHaveBeenLastCalledWith(episodes);
  });

  it('zooms by the handler of the day', () => {
    const { rerender } = render(<StatesView {...props()} />);
    const onZoom = jest.fn();
    rerender(<StatesView {...props({ onZoom })} />);
    events().onZoom(1, 2);
    expect(onZoom).toHaveBeenCalledWith(1, 2);
  });

  it('scrolls when there are more tiers than fit', () => {
    const [tier] = PICTURE.tiers;
    const tiers = Array.from({ length: 20 }, (_, i) => ({ ...tier, key: String(i), name: `web ${i}` }));
    render(<StatesView {...props({ picture: { ...PICTURE, tiers }, height: 150 })} />);
    const scroller = screen.getByRole('group', { name: /scroll/ });
    expect(scroller).toHaveAttribute('tabindex', '0');
    scroller.scrollTop = 30;
    fireEvent.scroll(scroller);
    expect(lastScene().scroll).toBe(30);
    scroller.scrollTop = 1e6;
    fireEvent.scroll(scroller);
    const { lanes, scroll } = lastScene();
    const last = lanes[19].lane;
    expect(scroll).toBe(last.top + last.height - (150 - 24 - 4));
  });
});
