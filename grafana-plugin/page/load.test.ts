// SPDX-License-Identifier: Apache-2.0
import { dateTime } from '@grafana/data';
import { Dashboard } from '../host/dashboard';
import { fakeServer, Question, Reply, success, vector } from '../host/fakeServer';
import { load, Wanted } from './load';

const gridPos = { x: 0, y: 0, w: 24, h: 8 };
const range = { from: dateTime(1e12), to: dateTime(1e12 + 60000), raw: { from: 'now-1m', to: 'now' } };

const dashboard: Dashboard = {
  title: 'Bottlenecks',
  panels: [
    { id: 2, type: 'table', gridPos, targets: [{ refId: 'ownQueue', expr: 'n{tier=~"$tier"}', instant: true }] },
    { id: 7, type: 'ours', gridPos, targets: [{ refId: 'queue', expr: 'all' }] },
    { id: 9, type: 'ours', gridPos, repeat: 'tier', targets: [{ refId: 'queue', expr: 'one{tier=~"$tier"}' }] },
    { id: 11, type: 'timeseries', gridPos, targets: [{ refId: 'A', expr: 'not ours' }] },
  ],
  templating: {
    list: [{ name: 'tier', type: 'query', query: 'label_values(up, tier)', multi: true, includeAll: true }],
  },
};

function run(more: Partial<Wanted> = {}, reply?: (question: Question) => Reply | undefined) {
  const { server, questions } = fakeServer((question) => {
    const special = reply?.(question);
    if (special) {
      return special;
    }
    switch (question.path.split('/api/v1/')[1]) {
      case 'label/tier/values':
        return success(['httpd', 'tomcat']);
      case 'query':
        return vector([{ app: 'board', tier: 'tomcat', instance: 'a' }, 7]);
      default:
        return success({ resultType: 'matrix', result: [] });
    }
  });
  const wanted = { dashboard, pluginId: 'ours', range, variables: {}, width: 1000, ...more };
  return { questions, loaded: load(server, wanted, new AbortController().signal) };
}

describe('load', () => {
  it('asks the queries of our panels, for repeated ones once per value, and of the tables', async () => {
    const { questions, loaded } = run();
    const { panels, choices, findings } = await loaded;
    expect(panels.map(({ shown }) => shown.key)).toEqual(['7', '9-httpd', '9-tomcat']);
    expect(
      questions
        .map(({ form }) => form.get('query'))
        .filter(Boolean)
        .sort()
    ).toEqual(['all', 'n{tier=~"(httpd|tomcat)"}', 'one{tier=~"httpd"}', 'one{tier=~"tomcat"}']);
    expect(choices.get('tier')!.options).toEqual(['httpd', 'tomcat']);
    expect(findings.tiers).toMatchObject([{ tier: 'tomcat', instance: 'a' }]);
  });

  it('loads one panel alone, and all where there is no such panel', async () => {
    const alone = await run({ only: '9-tomcat' }).loaded;
    expect(alone.panels.map(({ shown }) => shown.key)).toEqual(['9-tomcat']);
    const all = await run({ only: '9-gone' }).loaded;
    expect(all.panels).toHaveLength(3);
  });

  it('leaves a query that Prometheus refuses to its panel', async () => {
    const { loaded } = run({}, ({ form }) =>
      form.get('query') === 'all' ? { status: 400, body: { status: 'error', error: 'parse error' } } : undefined
    );
    const { panels } = await loaded;
    expect(panels[0].data.errors).toMatchObject([{ message: 'parse error' }]);
    expect(panels[1].data.errors).toBeUndefined();
  });

  const timedOut = { status: 503, body: { status: 'error', error: 'query timed out in expression evaluation' } };

  it('leaves a query that takes too long to its panel', async () => {
    const { loaded } = run({}, ({ form }) => (form.get('query') === 'all' ? timedOut : undefined));
    const { panels, findings } = await loaded;
    expect(panels[0].data.errors).toMatchObject([{ message: 'query timed out in expression evaluation' }]);
    expect(panels[1].data.errors).toBeUndefined();
    expect(findings.tiers).toMatchObject([{ tier: 'tomcat', instance: 'a' }]);
  });

  it('hands on why a table has no answer', async () => {
    const { loaded } = run({}, ({ form }) => (form.get('query')?.startsWith('n{') ? timedOut : undefined));
    const { panels, findings } = await loaded;
    expect(panels.map(({ data }) => data.errors)).toEqual([undefined, undefined, undefined]);
    expect(findings.failed.tiers).toEqual(new Map([['ownQueue', 'query timed out in expression evaluation']]));
  });

  it('fails as a whole when Prometheus goes away in between', async () => {
    const { loaded } = run({}, ({ path }) => (path.includes('label') ? undefined : new TypeError('Failed to fetch')));
    await expect(loaded).rejects.toThrow(/does not answer/);
  });
});
