// SPDX-License-Identifier: Apache-2.0
import { DataFrame } from '@grafana/data';
import { T0, WIDTH } from '../fixtures/clock';
import { emptyFrame, seriesFrame } from '../fixtures/frames';
import { findings } from './findings';
import { Kind } from './kind';
import { Notice } from './notice';
import { readPicture } from './read';

const WEB = { app: 'shop', tier: 'web', instance: 'a' };
const DB = { app: 'shop', tier: 'db', instance: 'a' };
const QUERIES =
  'own_queue, queue, throughput, residence, gc, state, saturation_point, saturation_point_low, ' +
  'saturation_point_high, saturation_status, max_throughput, own_curve_queue, own_curve_throughput, ' +
  'own_curve_windows, curve_queue, curve_throughput, curve_windows, state_share, window_width, edges';

function notices(frames: DataFrame[], asked: Kind[] = [], failed: Kind[] = []): Notice[] {
  return findings(readPicture(frames), { asked: new Set(asked), failed: new Set(failed) });
}

const texts = (frames: DataFrame[]) => notices(frames).map(({ severity, text }) => `${severity}: ${text}`);

function windows(labels: Record<string, string>, interval = WIDTH, from = T0): DataFrame[] {
  const time = [1, 2, 3].map((i) => from + i * interval);
  return [
    seriesFrame('own_queue', labels, time, [1, 2, 3], interval),
    seriesFrame('throughput', labels, time, [20, 40, 60], interval),
    seriesFrame('state', labels, time, [1, 1, 2], interval),
  ];
}

const without = (frames: DataFrame[], refId: string) => frames.filter((frame) => frame.refId !== refId);

describe('notices', () => {
  it('are none when all is well', () => {
    expect(notices(windows(WEB))).toEqual([]);
  });

  it('say that there was no answer at all', () => {
    expect(texts([])).toEqual(['error: No query has answered: add the queries own_queue, throughput and state.']);
  });

  it.each([
    ['throughput', 'nstar_window_throughput'],
    ['own_queue', 'nstar_window_own_queue_length'],
  ])('say that the query %s is missing', (absent, metric) => {
    expect(texts(without(windows(WEB), absent))).toEqual([
      `error: Query ${absent} is missing: add it, it asks for ${metric}.`,
    ]);
  });

  it('say that both are missing, and which names queries must have', () => {
    const frames = without(windows(WEB), 'state').map((frame, i) => ({ ...frame, refId: 'AB'[i] }));
    expect(texts(frames)).toEqual([
      'error: Queries own_queue and throughput are missing: add them, they ask for nstar_window_own_queue_length ' +
        'and nstar_window_throughput.',
      `warning: A and B are ignored: a query's name must be one of ${QUERIES}.`,
    ]);
  });

  it.each(['own_queue', 'throughput', 'state'] as const)('say nothing more of a query %s that failed', (kind) => {
    expect(notices(without(windows(WEB), kind), ['own_queue', 'throughput'], [kind])).toEqual([]);
  });

  it('do not miss windows where recorded shares were asked for alone', () => {
    expect(notices([seriesFrame('state_share', { ...WEB, state: 'idle' }, [T0], [1])])).toEqual([]);
  });

  it('say that there are no windows', () => {
    expect(texts([emptyFrame('own_queue'), emptyFrame('throughput')])).toEqual([
      'info: No windows in this time range: choose one in which nstar_exporter was scraped.',
    ]);
  });

  it('name the tiers for which one query has no answer', () => {
    const [queue, throughput] = windows(DB);
    const none = seriesFrame('throughput', DB, [], []);
    expect(texts([...windows(WEB), queue, none])[0]).toContain('Query throughput has no answer for db:');
    expect(texts([...windows(WEB), queue])).toEqual([
      'warning: Query throughput has no answer for db: give queries own_queue and throughput the same selector.',
    ]);
    expect(texts([...windows(WEB), throughput])).toEqual([
      'warning: Query own_queue has no answer for db: give queries own_queue and throughput the same selector.',
    ]);
  });

  it('name the tiers whose queries have no time in common', () => {
    const [queue] = windows(WEB);
    const [, throughput] = windows(WEB, WIDTH, T0 + 25);
    expect(texts([queue, throughput])).toEqual([
      'warning: Queries own_queue and throughput have no time in common for web: give them the same step.',
    ]);
  });

  it('name a query that is ignored', () => {
    const other = seriesFrame('C', { cpu: '0' }, [T0], [1]);
    expect(texts([...windows(WEB), other])).toEqual([
      `warning: C is ignored: a query's name must be one of ${QUERIES}.`,
    ]);
  });

  it('name a query without times', () => {
    const gc = { ...seriesFrame('gc', WEB, [T0], [1]), refId: 'gc' };
    gc.fields = gc.fields.slice(1);
    expect(texts([...windows(WEB), gc])).toEqual([
      'warning: No times in the answer to gc: set the format to time series or table.',
    ]);
  });

  it('name a query without the label tier', () => {
    expect(texts([...windows(WEB), seriesFrame('gc', { app: 'shop' }, [T0], [1])])).toEqual([
      'warning: No label tier in the answer to gc: keep app, tier and instance in the expression.',
    ]);
  });

  it('do not miss the label tier in the width of windows and in edges', () => {
    const rest = [
      seriesFrame('window_width', { instance: 'a' }, [T0], [0.05]),
      seriesFrame('edges', { app: 'shop', from: 'web', to: 'db' }, [T0], [1]),
    ];
    expect(texts([...windows(WEB), ...rest])).toEqual([]);
  });
});

describe('the notice on sampled windows', () => {
  it.each([
    [100, 0.05, ['info: 1 of 2 windows is shown: narrow the time range to 7 min or less to see each.']],
    [1000, 0.05, ['info: 1 of 20 windows is shown: narrow the time range to 7 min or less to see each.']],
    [1000, 1, []],
    [1000, 0.2, ['info: 1 of 5 windows is shown: narrow the time range to 31 min or less to see each.']],
    [
      50,
      0.01,
      [
        'info: 1 of 5 windows is shown: set the min step of its queries to 10ms and narrow the time range to 94 s ' +
          'or less to see each.',
      ],
    ],
    [
      250,
      0.125,
      [
        'info: 1 of 2 windows is shown: set the min step of its queries to 125ms and narrow the time range to 19 ' +
          'min or less to see each.',
      ],
    ],
    [50, 0.05, []],
    [70, 0.05, []], // half a window more is no sampling
  ])('with a step of %d ms and windows of %d s', (interval, width, expected) => {
    const frames = [...windows(WEB, interval), seriesFrame('window_width', { instance: 'a' }, [T0], [width])];
    expect(texts(frames)).toEqual(expected);
  });

  it('speaks of a range that Grafana asks for at a step of one window, and of no shorter one', () => {
    const [text] = texts([...windows(WEB, 100)]);
    const minutes = Number(/(\d+) min/.exec(text)![1]);
    // Grafana rounds steps up to 75 ms to 50 ms.
    expect((minutes * 60_000) / 6285).toBeLessThan(75);
    expect(((minutes + 1) * 60_000) / 6285).toBeGreaterThan(75);
  });
});

describe('the notice on the queue', () => {
  const total = (labels: Record<string, string>) =>
    windows(labels).map((frame) => (frame.refId === 'own_queue' ? { ...frame, refId: 'queue' } : frame));

  it('names the tiers that show another one than was chosen', () => {
    expect(texts([...windows(WEB), ...total(DB)])).toEqual([
      'info: No own_queue for db: the panel shows the queue of all requests in the tier.',
    ]);
    const chosen = findings(readPicture(windows(WEB), 'total'), { asked: new Set(), failed: new Set() }, 'total');
    expect(chosen).toEqual([
      { severity: 'info', text: 'No queue for web: the panel shows the own queue; add the query.' },
    ]);
  });

  it('does not miss the query for it where there is one for the other', () => {
    expect(texts(total(WEB))).toEqual([
      'info: No own_queue for web: the panel shows the queue of all requests in the tier; add the query.',
    ]);
    expect(notices(total(WEB), ['own_queue'], ['own_queue'])).toEqual([]);
  });
});

describe('the notice on states', () => {
  it('names the tiers of which no window was judged', () => {
    expect(texts([...windows(WEB), ...without(windows(DB), 'state')])).toEqual([
      'warning: No state for db: the exporter judges windows 2 s after they end.',
    ]);
    expect(texts(without(windows(WEB), 'state'))).toEqual([
      'warning: No state for web: add the query, it asks for nstar_window_state.',
    ]);
  });

  it('does not mind that the newest windows are not judged yet', () => {
    const [queue, throughput] = windows(WEB);
    expect(texts([queue, throughput, seriesFrame('state', WEB, [T0 + WIDTH], [1])])).toEqual([]);
  });

  it('calls the tiers by the names that they have in the picture', () => {
    const two = [WEB, { ...WEB, instance: 'b' }].flatMap((labels) => without(windows(labels), 'state'));
    expect(notices(two)[0].text).toContain('for web@a and web@b:');
  });
});

test('notices come in the order of their weight', () => {
  const missing = [seriesFrame('gc', { app: 'shop' }, [T0], [1]), ...windows(WEB, 500).slice(0, 1), emptyFrame('Z')];
  expect(notices(missing).map(({ severity }) => severity)).toEqual(['error', 'warning', 'warning']);
  const nothing = [emptyFrame('own_queue'), emptyFrame('throughput'), emptyFrame('Z')];
  expect(notices(nothing).map(({ severity }) => severity)).toEqual(['warning', 'info']);
});
