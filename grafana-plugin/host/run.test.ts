// SPDX-License-Identifier: Apache-2.0
import { dateTime, LoadingState } from '@grafana/data';
import { Panel, Target } from './dashboard';
import { fakeServer, Reply, success, vector } from './fakeServer';
import { outage, plan, Request, runPanel } from './run';

const FROM = 1795240310123;
const range = (seconds: number) => {
  const from = dateTime(FROM);
  const to = dateTime(FROM + seconds * 1000);
  return { from, to, raw: { from, to } };
};

const request = (targets: Target[], seconds = 120, more: Partial<Panel> = {}): Request => ({
  panel: { id: 1, type: 'ours', gridPos: { x: 0, y: 0, w: 24, h: 8 }, targets, ...more },
  scope: new Map([['app', { values: ['board'] }]]),
  range: range(seconds),
  width: 1000,
});

describe('plan', () => {
  it('takes the shortest step from the query, and points from the panel', () => {
    const target = { refId: 'queue', expr: 'x{app=~"$app"}[$__interval]', interval: '50ms' };
    expect(plan(target, request([], 120, { maxDataPoints: 6000 }))).toMatchObject({
      step: 50,
      expr: 'x{app=~"board"}[50ms]',
    });
  });

  it('takes the interval of the panel where the query has none', () => {
    expect(plan({ refId: 'A', expr: 'x' }, request([], 120)).step).toBe(15000);
    expect(plan({ refId: 'A', expr: 'x' }, request([], 120, { interval: '1s' })).step).toBe(1000);
  });

  it('gives rate() four scrapes of the shortest step', () => {
    const expr = 'rate(x[$__rate_interval])';
    expect(plan({ refId: 'A', expr }, request([])).expr).toBe('rate(x[60000ms])');
    expect(plan({ refId: 'A', expr, interval: '5s' }, request([], 120, { interval: '5s' })).expr).toBe(
      'rate(x[20000ms])'
    );
  });
});

describe('runPanel', () => {
  const ranged: Target = { refId: 'queue', expr: 'queue', interval: '50ms' };
  const instant: Target = { refId: 'width', expr: 'width', instant: true };

  it('asks for an aligned range, and for the end of the range where one value is wanted', async () => {
    const { server, questions } = fakeServer(({ path }) =>
      path.endsWith('query') ? vector([{}, 0.05]) : success({ resultType: 'matrix', result: [] })
    );
    const data = await runPanel(server, request([ranged, instant], 120, { maxDataPoints: 6000 }));
    expect(data.state).toBe(LoadingState.Done);
    expect(data.errors).toBeUndefined();
    expect(data.series.map(({ refId, length }) => [refId, length])).toEqual([
      ['queue', 0],
      ['width', 1],
    ]);
    expect(Object.fromEntries(questions[0].form)).toMatchObject({ start: '1795240310.1', end: '1795240430.1' });
    expect(questions[1].form.get('time')).toBe('1795240430.123');
  });

  it('does not ask what is hidden', async () => {
    const { server, questions } = fakeServer(() => vector());
    await runPanel(server, request([{ ...ranged, hide: true }]));
    expect(questions).toEqual([]);
  });

  it('lets each query fail by itself, in the words of Prometheus', async () => {
    const { server } = fakeServer(({ form }) =>
      form.get('query') === 'width'
        ? vector([{}, 0.05])
        : { status: 400, body: { status: 'error', error: 'parse error' } }
    );
    const data = await runPanel(server, request([ranged, instant]));
    expect(data.state).toBe(LoadingState.Error);
    expect(data.errors).toEqual([
      { refId: 'queue', status: 400, message: 'parse error', data: { message: 'parse error' } },
    ]);
    expect(data.series.map(({ refId }) => refId)).toEqual(['width']);
  });

  it('rejects when it is aborted', async () => {
    const { server } = fakeServer(() => vector());
    const stop = new AbortController();
    stop.abort();
    await expect(runPanel(server, request([ranged]), stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('outage', () => {
  const timedOut = { status: 503, body: { status: 'error', error: 'query timed out' } };
  const refused = { status: 422, body: { status: 'error', error: 'too many samples' } };

  /** Two panels, of which only the first has the query `heavy`. */
  async function panels(replies: { heavy: Reply; light: Reply }) {
    const { server } = fakeServer(({ form }) => (form.get('query') === 'heavy' ? replies.heavy : replies.light));
    const [heavy, light] = ['heavy', 'light'].map((expr) => ({ refId: expr, expr, instant: true }));
    return Promise.all([request([heavy, light]), request([light])].map((each) => runPanel(server, each)));
  }

  it('gives the reason where no query was answered', async () => {
    const nobody = new TypeError('Failed to fetch');
    expect(outage(await panels({ heavy: nobody, light: nobody }))).toMatch(/does not answer/);
    expect(outage(await panels({ heavy: timedOut, light: timedOut }))).toBe('query timed out');
  });

  it.each<[string, { heavy: Reply; light: Reply }]>([
    ['one query takes too long', { heavy: timedOut, light: vector() }],
    ['a query is refused, which is an answer', { heavy: timedOut, light: refused }],
    ['all are answered', { heavy: vector(), light: vector() }],
  ])('is none where %s', async (_, replies) => {
    expect(outage(await panels(replies))).toBeUndefined();
  });

  it('is none where nothing was asked', () => {
    expect(outage([])).toBeUndefined();
  });
});
