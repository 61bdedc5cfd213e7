// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { fireEvent, render, screen } from '@testing-library/react';
import { dateTime, EventBusSrv, LoadingState, PanelData, PanelProps } from '@grafana/data';
import { T0 } from '../fixtures/clock';
import { framesOf, labelsOf, seriesFrame } from '../fixtures/frames';
import { rangeOf, turns } from '../fixtures/tiers';
import { Options } from '../types';
import { Panel } from './Panel';
import { ViewProps } from './view';

const states = jest.fn();
const sequence = jest.fn();
jest.mock('./StatesView', () => ({
  StatesView: (props: ViewProps) => {
    states(props);
    return 'time lines';
  },
}));
jest.mock('./SequenceView', () => ({
  SequenceView: (props: ViewProps) => {
    sequence(props);
    return 'main sequence';
  },
}));

const PICTURE = turns(200);
const SERIES = framesOf(PICTURE);
const TARGETS = [{ refId: 'queue' }, { refId: 'throughput' }];
const { from, to } = rangeOf(200);
const RANGE = { from: dateTime(from), to: dateTime(to), raw: { from: dateTime(from), to: dateTime(to) } };

function props(data: Partial<PanelData> = {}, rest: Partial<PanelProps<Options>> = {}): PanelProps<Options> {
  return {
    id: 7,
    data: {
      state: LoadingState.Done,
      series: SERIES,
      timeRange: RANGE,
      request: { targets: TARGETS } as PanelData['request'],
      ...data,
    },
    options: {
      view: 'states',
      queueScale: 'linear',
      showCurve: true,
      showQueue: true,
      showGc: true,
      showLegend: true,
    },
    width: 900,
    height: 400,
    timeRange: RANGE,
    timeZone: 'utc',
    eventBus: new EventBusSrv(),
    onChangeTimeRange: jest.fn(),
    ...rest,
  } as PanelProps<Options>;
}

const handed = (): ViewProps => states.mock.lastCall[0];

beforeEach(() => {
  jest.clearAllMocks();
});

describe('Panel', () => {
  it('reads the answers and hands the picture to the chosen view', () => {
    render(<Panel {...props()} />);
    expect(handed().picture.tiers.map(({ name }) => name)).toEqual(['web', 'app', 'db']);
    expect(handed()).toMatchObject({ from, to, width: 900, timeZone: 'utc' });
    expect(sequence).not.toHaveBeenCalled();
  });

  it('shows the other view when that is chosen', () => {
    const { options } = props();
    render(<Panel {...props({}, { options: { ...options, view: 'sequence' } })} />);
    expect(sequence).toHaveBeenCalled();
    expect(states).not.toHaveBeenCalled();
  });

  it('reads again only when the answers change', () => {
    const same = props();
    const { rerender } = render(<Panel {...same} />);
    const { picture } = handed();
    rerender(<Panel {...same} width={500} />);
    expect(handed().picture).toBe(picture);
    rerender(<Panel {...same} data={{ ...same.data, series: [...SERIES] }} />);
    expect(handed().picture).not.toBe(picture);
  });

  it('leaves room for legend and notices', () => {
    const { options } = props();
    render(<Panel {...props({}, { options: { ...options, showLegend: false } })} />);
    const without = handed().height;
    render(<Panel {...props()} />);
    expect(handed().height).toBeLessThan(without);
    render(<Panel {...props({ errors: [{ refId: 'gc', message: 'timed out' }] })} />);
    expect(screen.getAllByRole('status').some(({ textContent }) => textContent?.includes('Query gc: timed out'))).toBe(
      true
    );
  });

  it('says of a query that failed only that', () => {
    const series = framesOf(turns(100)).filter(({ refId }) => refId !== 'throughput');
    const shares = seriesFrame('state_share', { ...labelsOf(turns(1).tiers[0]), state: 'frozen' }, [T0], [1]);
    const failed = { series: [...series, shares], errors: [{ refId: 'throughput', message: 'timed out' }] };
    render(<Panel {...props(failed)} />);
    expect(screen.getByText(/Query throughput: timed out/)).toBeVisible();
    expect(screen.queryByText(/more$/)).toBeNull();
  });

  it('hides a tier that is clicked in the legend', () => {
    render(<Panel {...props()} />);
    fireEvent.click(screen.getByRole('button', { name: 'app' }));
    expect([...handed().hidden]).toEqual([PICTURE.tiers[1].key]);
  });

  it('zooms the dashboard', () => {
    const same = props();
    render(<Panel {...same} />);
    handed().onZoom(1, 2);
    expect(same.onChangeTimeRange).toHaveBeenCalledWith({ from: 1, to: 2 });
  });

  it('keeps the picture while the next one is loading', () => {
    const same = props();
    const { rerender } = render(<Panel {...same} />);
    const { picture } = handed();
    rerender(<Panel {...props({ state: LoadingState.Loading, series: [] })} />);
    expect(handed().picture).toBe(picture);
    expect(screen.queryByText('Loading…')).toBeNull();
    rerender(<Panel {...props({ series: [] })} />);
    expect(screen.getByText('No data in this time range')).toBeVisible();
  });

  it.each([
    ['No data in this time range', { series: [] }],
    [
      'Queries missing: own_queue, throughput',
      { series: [], request: { targets: [] } as unknown as PanelData['request'] },
    ],
    ['Query queue: parse error', { series: [], errors: [{ refId: 'queue', message: 'parse error' }] }],
    ['Loading…', { series: [], state: LoadingState.Loading }],
  ])('says "%s" instead of a picture', (text, data) => {
    render(<Panel {...props(data)} />);
    expect(screen.getByText(text)).toBeVisible();
    expect(states).not.toHaveBeenCalled();
  });
});
