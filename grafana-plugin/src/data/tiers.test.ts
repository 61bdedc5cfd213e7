// SPDX-License-Identifier: Apache-2.0
import { T0, windowEnd } from '../fixtures/clock';
import { STATES } from '../model/state';
import { Kind } from './kind';
import { Series } from './series';
import { windowWidths } from './step';
import { buildTier, seriesByTier } from './tiers';

const WEB = { app: 'shop', tier: 'web', instance: 'a' };

function of(kind: Kind, pairs: Array<[time: number, value: number]>, labels: Record<string, string> = {}): Series {
  return {
    kind,
    labels: { ...WEB, ...labels },
    time: pairs.map(([time]) => time),
    value: pairs.map(([, value]) => value),
    interval: 50,
  };
}

function windows(kind: Kind, ...values: number[]): Series {
  return of(
    kind,
    values.map((value, i) => [windowEnd(i), value])
  );
}

function tier(...series: Series[]) {
  const [found] = seriesByTier(series);
  return buildTier(found, windowWidths([]));
}

function states(...series: Series[]): string[] {
  return Array.from(tier(...series).state, (state) => STATES[state]);
}

describe('seriesByTier', () => {
  it('tells tiers apart by app, tier and instance, and by nothing else', () => {
    const found = seriesByTier([
      of('queue', []),
      of('queue', [], { job: 'other' }),
      of('queue', [], { instance: 'b' }),
      of('queue', [], { app: 'blog' }),
      of('throughput', []),
      of('queue', [], { tier: '' }),
    ]);
    expect(found.map((one) => [one.labels.app, one.labels.instance, one.of('queue').length])).toEqual([
      ['shop', 'a', 2],
      ['shop', 'b', 1],
      ['blog', 'a', 1],
    ]);
    expect(found[0].of('throughput')).toHaveLength(1);
    expect(found[0].of('gc')).toEqual([]);
  });
});

describe('the windows of a tier', () => {
  it('come from several jobs as from one', () => {
    const both = [windows('queue', 1, 2, 3), { ...windows('queue', 1, 2, 3, 4), labels: { ...WEB, job: 'other' } }];
    const { time, queue } = tier(...both, windows('throughput', 20, 40, 60, 80));
    expect([...time]).toEqual([0, 1, 2, 3].map((i) => windowEnd(i)));
    expect([...queue]).toEqual([1, 2, 3, 4]);
  });

  it('have residence and garbage collection on the same times', () => {
    const { residence, gc } = tier(
      windows('queue', 1, 2, 3),
      windows('throughput', 20, 0, 60),
      of('residence', [[windowEnd(0), 0.05], [windowEnd(2), 0.06], [windowEnd(9), 1]]), // prettier-ignore
      of('gc', [[windowEnd(1), 0.9]])
    );
    expect([...residence!]).toEqual([0.05, NaN, 0.06]);
    expect([...gc!]).toEqual([NaN, 0.9, NaN]);
  });

  it('have neither where nothing was asked or answered', () => {
    const { residence, gc } = tier(windows('queue', 1), windows('throughput', 20), of('gc', []));
    expect(residence).toBeNull();
    expect(gc).toBeNull();
  });
});

describe('the states of a tier', () => {
  const queue = windows('queue', 0, 10, 10, 10);
  const throughput = windows('throughput', 0, 400, 10, 400);

  it('follow N* and TPmax as they were at the end of each window', () => {
    const nStar = of('saturation_point', [[windowEnd(0), 8], [windowEnd(3), 12]]); // prettier-ignore
    const tpMax = of('max_throughput', [[windowEnd(0), 400]]);
    expect(states(queue, throughput, nStar, tpMax)).toEqual(['idle', 'saturated', 'frozen', 'normal']);
  });

  it('take what was learned later for what was true before', () => {
    const nStar = of('saturation_point', [[windowEnd(3), 8]]);
    const tpMax = of('max_throughput', [[windowEnd(3), 400]]);
    expect(states(queue, throughput, nStar, tpMax)).toEqual(['idle', 'saturated', 'frozen', 'saturated']);
  });

  it('are idle or normal without N*', () => {
    expect(states(queue, throughput)).toEqual(['idle', 'normal', 'normal', 'normal']);
    expect(states(queue, throughput, of('saturation_point', [[T0, NaN]]))).toEqual([
      'idle',
      'normal',
      'normal',
      'normal',
    ]);
  });

  it('stand beside the last N* and TPmax', () => {
    const nStar = of('saturation_point', [[windowEnd(3), 12], [windowEnd(0), 8]]); // prettier-ignore
    expect(tier(queue, throughput, nStar)).toMatchObject({ nStar: 12, tpMax: null });
  });
});

describe('the main sequence of a tier', () => {
  it('joins its three series by bin, in the order of queue length', () => {
    const { curve } = tier(
      of('curve_queue', [[T0, 9]], { bin: '10' }),
      of('curve_queue', [[T0, 1.8]], { bin: '2' }),
      of('curve_throughput', [[T0, 100]], { bin: '2' }),
      of('curve_throughput', [[T0, 390]], { bin: '10' }),
      of('curve_windows', [[T0, 44]], { bin: '2' }),
      of('curve_queue', [[T0, 33]], { bin: '40' }),
      of('curve_throughput', [[T0, 1]], { bin: '80' })
    );
    expect(curve).toEqual([
      { queue: 1.8, throughput: 100, windows: 44 },
      { queue: 9, throughput: 390, windows: NaN },
    ]);
  });

  it('is the last one of a range', () => {
    const { curve } = tier(
      of('curve_queue', [[T0, 1], [T0 + 1, 2]], { bin: '2' }), // prettier-ignore
      of('curve_throughput', [[T0, 50], [T0 + 1, 60]], { bin: '2' }) // prettier-ignore
    );
    expect(curve).toEqual([{ queue: 2, throughput: 60, windows: NaN }]);
  });
});

describe('the recorded shares of a tier', () => {
  it('stand by state on common times, moved to the windows of which they tell', () => {
    const { shares } = tier(
      of('state_share', [[T0, 0.25], [T0 + 10_000, 1]], { state: 'idle' }), // prettier-ignore
      of('state_share', [[T0, 0.75], [T0 + 10_000, 0]], { state: 'normal' }), // prettier-ignore
      of('state_share', [[T0 + 10_000, 0]], { state: 'frozen' })
    );
    expect([...shares!.time]).toEqual([T0 - 7000, T0 + 3000]);
    expect(shares!.share.map((values) => [...values])).toEqual([
      [0.25, 1],
      [0.75, 0],
      [NaN, NaN],
      [NaN, 0],
    ]);
  });

  it('are null where there are none', () => {
    expect(tier(windows('queue', 1), of('state_share', [], { state: 'idle' })).shares).toBeNull();
  });
});
