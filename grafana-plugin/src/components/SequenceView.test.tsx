// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { DataHoverClearEvent, DataHoverEvent, EventBusSrv } from '@grafana/data';
import { SequencePlot } from '../draw/sequencePlot';
import { Hit, SequenceEvents, SequenceScene } from '../draw/sequenceScene';
import { windowEnd } from '../fixtures/clock';
import { rangeOf, turns } from '../fixtures/tiers';
import { State } from '../model/state';
import { Picture } from '../model/tier';
import { Options } from '../types';
import { Selection, SelectionEvent } from './selection';
import { SequenceView } from './SequenceView';
import { ViewProps } from './view';

const appEvents = new EventBusSrv();

jest.mock('@grafana/runtime', () => ({ getAppEvents: () => appEvents }));

/** The plot that was made last: its arguments, and its events. */
interface Made {
  scenes: SequenceScene[];
  marks: Array<readonly Hit[]>;
  events: SequenceEvents;
  destroyed: boolean;
}
const mockMade: Made[] = [];

jest.mock('../draw/sequencePlot', () => ({
  SequencePlot: jest.fn((_root: HTMLElement, scene: SequenceScene, events: SequenceEvents) => {
    const made: Made = { scenes: [scene], marks: [], events, destroyed: false };
    mockMade.push(made);
    return {
      update: (next: SequenceScene) => made.scenes.push(next),
      mark: (hits: readonly Hit[]) => made.marks.push(hits),
      destroy: () => (made.destroyed = true),
    };
  }),
}));

const OPTIONS: Options = {
  view: 'sequence',
  queue: 'own',
  queueScale: 'linear',
  showCurve: true,
  showQueue: true,
  showGc: true,
  showLegend: true,
};
const PICTURE = turns(200);
/** The tier that freezes, and one of its frozen windows. */
const APP = 1;
const FROZEN = PICTURE.tiers[APP].state.indexOf(State.Frozen);

const plot = () => mockMade[mockMade.length - 1];
const scene = () => plot().scenes[plot().scenes.length - 1];
const marks = () => plot().marks[plot().marks.length - 1];

function show(set: Partial<ViewProps> = {}) {
  const eventBus = new EventBusSrv();
  const onZoom = jest.fn();
  const rest = { options: OPTIONS, width: 900, height: 400, timeZone: 'utc', eventBus, onZoom };
  const view = (more: Partial<ViewProps> = {}) => (
    <SequenceView picture={PICTURE} hidden={new Set()} {...rangeOf(200)} {...rest} {...set} {...more} />
  );
  const { rerender, unmount } = render(view());
  return { eventBus, onZoom, unmount, update: (more: Partial<ViewProps>) => rerender(view(more)) };
}

/** Brushes the given windows of the frozen tier. */
function brush(...indices: number[]) {
  const flags = scene().tiers.map(({ tier }) => new Uint8Array(tier.time.length));
  indices.forEach((index) => (flags[APP][index] = 1));
  act(() => plot().events.onBrush(flags));
}

/** The same windows and `count` later ones, of which the first are gone. */
function later(count: number): Picture {
  const longer = turns(200 + count);
  const cut = <T extends Float64Array | Uint8Array>(values: T) => values.slice(count) as T;
  return {
    ...longer,
    tiers: longer.tiers.map((tier) => ({
      ...tier,
      time: cut(tier.time),
      queue: cut(tier.queue),
      throughput: cut(tier.throughput),
      state: cut(tier.state),
      gc: tier.gc && cut(tier.gc),
    })),
  };
}

let selections: Selection[] = [];

beforeEach(() => {
  mockMade.length = 0;
  jest.mocked(SequencePlot).mockClear();
  selections = [];
  appEvents.removeAllListeners();
  appEvents.subscribe(SelectionEvent, ({ payload }) => selections.push(payload));
});

describe('SequenceView', () => {
  it('draws the tiers with their lines, and says in words what is seen', () => {
    show();
    expect(scene().tiers.map(({ nStarLabel }) => nStarLabel)).toEqual(['', 'app N* 8', 'db N* 8']);
    expect(scene().description).toContain('app: 200 windows, N* 8, TPmax 400/s, frozen 10');
  });

  it('leaves hidden tiers out, and the others keep their colours', () => {
    const { update } = show();
    const colours = scene().tiers.map(({ colour }) => colour);
    update({ hidden: new Set([PICTURE.tiers[0].key]) });
    expect(scene().tiers.map(({ colour }) => colour)).toEqual(colours.slice(1));
  });

  it('says so where all tiers are hidden', () => {
    show({ hidden: new Set(PICTURE.tiers.map(({ key }) => key)) });
    expect(screen.getByText(/All tiers are hidden/)).toBeInTheDocument();
  });

  it('keeps its plot through refresh, resize and options, and destroys it at the end', () => {
    const { update, unmount } = show();
    update({ picture: later(20) });
    update({ width: 700 });
    update({ options: { ...OPTIONS, queueScale: 'log' } });
    expect(SequencePlot).toHaveBeenCalledTimes(1);
    expect(scene().log).toBe(true);
    expect(plot().destroyed).toBe(false);
    unmount();
    expect(plot().destroyed).toBe(true);
  });
});

describe('the pointer', () => {
  const hover = (index: number) => act(() => plot().events.onHover({ hit: { tier: APP, index }, x: 300, y: 200 }));

  it('shows the window with its time to the millisecond', () => {
    show();
    hover(FROZEN);
    expect(screen.getByRole('tooltip')).toHaveTextContent('2026-01-05 09:00:00.850');
    expect(screen.getByRole('tooltip')).toHaveTextContent('frozen');
    act(() => plot().events.onHover(null));
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('marks the windows of all tiers at the same time, its own first', () => {
    show();
    hover(FROZEN);
    expect(marks()).toEqual([
      { tier: APP, index: FROZEN },
      { tier: 0, index: FROZEN },
      { tier: 2, index: FROZEN },
    ]);
  });

  it('tells the other panels a time within the window, and when it has left', () => {
    const { eventBus } = show();
    const times: Array<number | null | undefined> = [];
    eventBus.subscribe(DataHoverEvent, ({ payload }) => times.push(payload.point.time));
    eventBus.subscribe(DataHoverClearEvent, () => times.push(null));
    hover(FROZEN);
    act(() => plot().events.onHover(null));
    expect(times).toEqual([windowEnd(FROZEN) - 25, null]);
  });

  it('follows the time of another panel', () => {
    const { eventBus } = show();
    act(() => eventBus.publish(new DataHoverEvent({ point: { time: windowEnd(30) - 10 } })));
    expect(marks().map(({ index }) => index)).toEqual([30, 30, 30]);
    act(() => eventBus.publish(new DataHoverClearEvent()));
    expect(marks()).toEqual([]);
  });
});

describe('the brush', () => {
  const status = () => screen.getByRole('status').textContent;

  it('says how many windows in how many episodes, keeps them bright and tells the other panels', () => {
    show();
    brush(16, 17, 100);
    expect(status()).toContain('3 windows in 2 episodes');
    expect([...scene().selected![APP]].flatMap((flag, i) => (flag ? [i] : []))).toEqual([16, 17, 100]);
    expect(selections).toEqual([
      {
        source: expect.any(String),
        episodes: [
          { from: windowEnd(15), to: windowEnd(17) },
          { from: windowEnd(99), to: windowEnd(100) },
        ],
      },
    ]);
  });

  it('survives refreshes until the last of its windows is gone', () => {
    const { update } = show();
    brush(16, 100);
    update({ picture: later(50) });
    expect(status()).toContain('2 windows in 2 episodes');
    expect(scene().selected![APP].indexOf(1)).toBe(50);
    update({ picture: later(101) });
    expect(screen.queryByText(/episodes/)).toBeNull();
    expect(scene().selected).toBeNull();
    expect(selections[selections.length - 1].episodes).toEqual([]);
  });

  it.each([
    ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
    ['a double click', () => act(() => plot().events.onClear())],
    ['the button', () => fireEvent.click(screen.getByRole('button', { name: 'Clear' }))],
  ])('is cleared by %s', (_, clear) => {
    show();
    brush(16);
    clear();
    expect(scene().selected).toBeNull();
    expect(selections[selections.length - 1].episodes).toEqual([]);
  });

  it('leaves Escape to the dashboard while nothing is selected', () => {
    show();
    const heard = jest.fn();
    document.addEventListener('keydown', heard);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(heard).toHaveBeenCalledTimes(1);
    brush(16);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(heard).toHaveBeenCalledTimes(1);
    document.removeEventListener('keydown', heard);
  });

  it('leaves Escape to a field that has the focus', () => {
    show();
    brush(16);
    const field = document.body.appendChild(document.createElement('input'));
    fireEvent.keyDown(field, { key: 'Escape' });
    field.remove();
    expect(scene().selected).not.toBeNull();
  });

  it('picks nothing where there is no window', () => {
    show();
    brush(16);
    brush();
    expect(scene().selected).toBeNull();
  });

  it('is not taken for that of another panel', () => {
    show();
    brush(16);
    show();
    brush(100);
    expect(new Set(selections.map(({ source }) => source)).size).toBe(2);
  });

  it('tells the other panels when its panel goes', () => {
    const { unmount } = show();
    brush(16);
    unmount();
    expect(selections[selections.length - 1].episodes).toEqual([]);
  });

  it('has a button for all frozen windows, which leads to them without a mouse', () => {
    const { onZoom } = show();
    fireEvent.click(screen.getByRole('button', { name: 'Select 20 frozen windows' }));
    expect(status()).toContain('20 windows in 5 episodes');
    fireEvent.click(screen.getAllByRole('button', { name: /^Zoom to/ })[0]);
    expect(onZoom).toHaveBeenCalledWith(windowEnd(15) - 500, windowEnd(19) + 500);
  });

  it('does not take room for that button in a low panel', () => {
    show({ height: 150 });
    expect(screen.queryByRole('button')).toBeNull();
    expect(scene().height).toBe(150);
  });
});
