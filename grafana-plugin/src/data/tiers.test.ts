// SPDX-License-Identifier: Apache-2.0
import { T0, windowEnd } from '../fixtures/clock';
import { STATE_WORDS } from '../model/state';
import { QueueKind } from '../model/tier';
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

function tierOf(queue: QueueKind, ...series: Series[]) {
  const [found] = seriesByTier(series);
  return buildTier(found, windowWidths([]), queue);
}

const tier = (...series: Series[]) => tierOf('own', ...series);

function states(...series: Series[]): string[] {
  return Array.from(tier(...series).state, (state) => STATE_WORDS[state]);
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
  const windowsOf = [windows('own_queue', 0, 10, 10, 10), windows('throughput', 0, 400, 10, 400)];

  it('are those that the exporter gave, and none where it has not yet', () => {
    expect(states(...windowsOf, windows('state', 0, 4, 3))).toEqual(['idle', 'waiting', 'frozen', 'not judged yet']);
    expect(states(...windowsOf)).toEqual(Array(4).fill('not judged yet'));
  });
});

describe('the limits of a tier', () => {
  const windowsOf = [windows('own_queue', 1), windows('throughput', 20)];

  it('are the last ones', () => {
    const found = tier(
      ...windowsOf,
      of('saturation_point', [[T0, 8], [T0 + 1, 12]]), // prettier-ignore
      of('saturation_point_low', [[T0 + 1, 11]]),
      of('saturation_point_high', [[T0 + 1, 13.5]]),
      of('max_throughput', [[T0, 400]]),
      of('saturation_status', [[T0 + 1, 1]], { status: 'known' })
    );
    expect(found).toMatchObject({ nStar: 12, nStarInterval: [11, 13.5], nStarStatus: 'known', tpMax: 400 });
  });

  it('are not known where nothing was answered', () => {
    const none = { nStar: null, nStarInterval: null, nStarStatus: null, tpMax: null };
    expect(tier(...windowsOf, of('saturation_point', [[T0, NaN]]))).toMatchObject(none);
    expect(tier(...windowsOf, of('saturation_point_low', [[T0, 7]])).nStarInterval).toBeNull();
  });

  it('have the status that holds now', () => {
    const before = of('saturation_status', [[T0, 1]], { status: 'learning' });
    const now = of('saturation_status', [[T0 + 5, 1]], { status: 'always_at_limit' });
    const not = of('saturation_status', [[T0 + 9, 0]], { status: 'known' });
    expect(tier(...windowsOf, before, now, not).nStarStatus).toBe('always_at_limit');
  });
});

describe('the queue of a tier', () => {
  const both = [windows('own_queue', 1, 2), windows('queue', 5, 6, 7), windows('throughput', 20, 40, 60)];
  const curves = [
    of('own_curve_queue', [[T0, 1.8]], { bin: '2' }),
    of('own_curve_throughput', [[T0, 100]], { bin: '2' }),
    of('curve_queue', [[T0, 9]], { bin: '10' }),
    of('curve_throughput', [[T0, 390]], { bin: '10' }),
  ];

  it('is the chosen one, with its curve, and the other beside it', () => {
    const own = tier(...both, ...curves);
    expect([own.queueKind, [...own.queue], [...own.otherQueue!]]).toEqual(['own', [1, 2], [5, 6]]);
    expect(own.curve).toEqual([{ queue: 1.8, throughput: 100, windows: NaN }]);
    const total = tierOf('total', ...both, ...curves);
    expect([total.queueKind, [...total.queue], [...total.otherQueue!]]).toEqual(['total', [5, 6, 7], [1, 2, NaN]]);
    expect(total.curve).toEqual([{ queue: 9, throughput: 390, windows: NaN }]);
  });

  it('is the other one where the chosen one has no answer', () => {
    const [own, total, throughput] = both;
    expect(tier(total, throughput)).toMatchObject({ queueKind: 'total', otherQueue: null });
    expect(tierOf('total', own, throughput)).toMatchObject({ queueKind: 'own', otherQueue: null });
    expect(tier(throughput)).toMatchObject({ queueKind: 'own', otherQueue: null });
  });
});

describe('the main sequence of a tier', () => {
  it('joins its three series by bin, in the order of queue length', () => {
    const { curve } = tier(
      of('own_curve_queue', [[T0, 9]], { bin: '10' }),
      of('own_curve_queue', [[T0, 1.8]], { bin: '2' }),
      of('own_curve_throughput', [[T0, 100]], { bin: '2' }),
      of('own_curve_throughput', [[T0, 390]], { bin: '10' }),
      of('own_curve_windows', [[T0, 44]], { bin: '2' }),
      of('own_curve_queue', [[T0, 33]], { bin: '40' }),
      of('own_curve_throughput', [[T0, 1]], { bin: '80' })
    );
    expect(curve).toEqual([
      { queue: 1.8, throughput: 100, windows: 44 },
      { queue: 9, throughput: 390, windows: NaN },
    ]);
  });

  it('is the last one of a range', () => {
    const { curve } = tier(
      of('own_curve_queue', [[T0, 1], [T0 + 1, 2]], { bin: '2' }), // prettier-ignore
      of('own_curve_throughput', [[T0, 50], [T0 + 1, 60]], { bin: '2' }) // prettier-ignore
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
    expect([...shares!.time]).toEqual([T0 - 10_000, T0]);
    expect(shares!.share.map((values) => [...values])).toEqual([
      [0.25, 1],
      [0.75, 0],
      [NaN, NaN],
      [NaN, 0],
      [NaN, NaN],
      [NaN, NaN],
    ]);
  });

  it('are null where there are none', () => {
    expect(tier(windows('queue', 1), of('state_share', [], { state: 'idle' })).shares).toBeNull();
  });
});
