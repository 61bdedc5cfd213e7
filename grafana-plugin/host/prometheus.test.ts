// SPDX-License-Identifier: Apache-2.0
import { fakeServer, success } from './fakeServer';
import { PrometheusError } from './prometheus';

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error as PrometheusError
  );

describe('Prometheus', () => {
  it('posts a range query with times in seconds', async () => {
    const { server, questions } = fakeServer(() => success({ resultType: 'matrix', result: [] }));
    await server.queryRange('up', 1795240310050, 1795240310200, 50);
    expect(questions[0]).toMatchObject({ path: '/prefix/api/v1/query_range', method: 'POST' });
    expect(Object.fromEntries(questions[0].form)).toEqual({
      query: 'up',
      start: '1795240310.05',
      end: '1795240310.2',
      step: '0.05',
    });
  });

  it('asks for the values of a label in matching series', async () => {
    const { server, questions } = fakeServer(() => success(['httpd']));
    expect(await server.labelValues('tier', 'x{app="a"}', 1000, 2000)).toEqual(['httpd']);
    expect(questions[0]).toMatchObject({ path: '/prefix/api/v1/label/tier/values', method: 'GET' });
    expect(questions[0].form.get('match[]')).toBe('x{app="a"}');
  });

  it("passes Prometheus' own words on, and does not blame the server for a bad query", async () => {
    const { server } = fakeServer(() => ({ status: 400, body: { status: 'error', error: 'parse error: no' } }));
    const error = await caught(server.query('x{', 0));
    expect(error).toMatchObject({ message: 'parse error: no', status: 400, unavailable: false });
  });

  it.each([
    ['a proxy in front of it', { status: 502, body: { status: 'error', error: 'refused' } }, 'refused'],
    ['a server that is none', { status: 404, body: '<h1>Not found</h1>' }, 'does not answer like Prometheus'],
    ['a page instead of an answer', { body: '<html>' }, 'does not answer like Prometheus'],
    ['JSON of something else', { body: { version: 1 } }, 'does not answer like Prometheus'],
    ['nobody', new TypeError('Failed to fetch'), 'http://prometheus.test/prefix/ does not answer'],
  ])('tells when there is no Prometheus: %s', async (_, reply, message) => {
    const { server } = fakeServer(() => reply);
    const error = await caught(server.query('up', 0));
    expect(error).toBeInstanceOf(PrometheusError);
    expect(error).toMatchObject({ unavailable: true, message: expect.stringContaining(message) });
  });

  it('gives up on a server that takes too long', async () => {
    const { server } = fakeServer(() => new DOMException('', 'TimeoutError'));
    expect(await caught(server.query('up', 0))).toMatchObject({
      unavailable: true,
      message: expect.stringContaining('30 s'),
    });
  });

  it('stops when it is told to', async () => {
    const { server } = fakeServer(() => success({}));
    const stop = new AbortController();
    stop.abort();
    expect(await caught(server.query('up', 0, stop.signal))).toMatchObject({ name: 'AbortError' });
  });
});
