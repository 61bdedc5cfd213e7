// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'fs';
import { join } from 'path';
import { dateTime, LoadingState, PanelData } from '@grafana/data';
import { readDashboard } from '../host/dashboard';
import { toFrames } from '../host/frames';
import { findTables, readFindings } from './findings';

type Series = Array<[Record<string, string>, number]>;

const from = dateTime(0);
const to = dateTime(1000);

/** What the queries of a table would answer, and why others do not. */
function answer(queries: Record<string, Series>, failed: Record<string, string> = {}): PanelData {
  const series = Object.entries(queries).flatMap(([refId, result]) =>
    toFrames(
      { resultType: 'vector', result: result.map(([metric, value]) => ({ metric, value: [1, String(value)] })) },
      { refId, expr: refId, step: 1000 }
    )
  );
  const errors = Object.entries(failed).map(([refId, message]) => ({ refId, message }));
  return { state: LoadingState.Done, series, errors, timeRange: { from, to, raw: { from, to } } };
}

const tier = (name: string) => ({ app: 'board', tier: name, instance: 'a:1' });
const edge = (caller: string, called: string) => ({ app: 'board', from: caller, to: called });

describe('readFindings', () => {
  it('joins the queries of a table by tier, callers first', () => {
    const { tiers } = readFindings({
      tiers: answer({
        state: [
          [tier('mariadb'), 1],
          [tier('tomcat'), 2],
          [tier('static'), -1],
        ],
        saturated: [[tier('mariadb'), 0.74]],
        frozen: [[tier('tomcat'), 0.07]],
        saturationPoint: [[tier('tomcat'), 7.4]],
        maxThroughput: [[tier('static'), 12]],
      }),
      turns: answer({ verdict: [[edge('tomcat', 'mariadb'), 0]] }),
    });
    const none = { saturated: null, frozen: null, saturationPoint: null, maxThroughput: null, instance: 'a:1' };
    expect(tiers).toEqual([
      { ...none, tier: 'tomcat', condition: 'frozen', frozen: 0.07, saturationPoint: 7.4 },
      { ...none, tier: 'mariadb', condition: 'saturated', saturated: 0.74 },
      { ...none, tier: 'static', condition: 'unseen', maxThroughput: 12 },
    ]);
  });

  it('keeps turns and causes that the dashboard finds, the clearest first', () => {
    const { turns, causes } = readFindings({
      turns: answer({
        verdict: [
          [edge('httpd', 'tomcat'), 0],
          [edge('tomcat', 'mariadb'), 1],
          [edge('tomcat', 'cache'), 1],
        ],
        correlation: [
          [edge('httpd', 'tomcat'), 0.9],
          [edge('tomcat', 'mariadb'), -0.35],
          [edge('tomcat', 'cache'), -0.5],
        ],
      }),
      causes: answer({
        verdict: [[{ ...tier('tomcat'), cause: 'garbage_collection' }, 1]],
        correlation: [[{ ...tier('tomcat'), cause: 'garbage_collection' }, 0.44]],
      }),
    });
    expect(turns).toEqual([
      { from: 'tomcat', to: 'cache', correlation: -0.5 },
      { from: 'tomcat', to: 'mariadb', correlation: -0.35 },
    ]);
    expect(causes).toEqual([{ tier: 'tomcat', cause: 'garbage_collection', correlation: 0.44 }]);
  });

  it('is empty where nothing was recorded', () => {
    const none = new Map();
    const empty = { tiers: [], turns: [], causes: [], failed: { tiers: none, turns: none, causes: none } };
    expect(readFindings({ tiers: answer({ state: [] }) })).toEqual(empty);
    expect(readFindings({})).toEqual(empty);
  });

  it('keeps why a query has no answer, by table', () => {
    const { failed } = readFindings({
      tiers: answer({ saturated: [] }, { state: 'too many samples', frozen: 'query timed out' }),
      causes: answer({}, { verdict: 'many-to-many matching not allowed' }),
    });
    expect(failed).toEqual({
      tiers: new Map([
        ['state', 'too many samples'],
        ['frozen', 'query timed out'],
      ]),
      turns: new Map(),
      causes: new Map([['verdict', 'many-to-many matching not allowed']]),
    });
  });

  it('does not take a tier whose state was not answered for one that was never at its limit', () => {
    const { tiers } = readFindings({ tiers: answer({ frozen: [[tier('tomcat'), 0.07]] }, { state: 'no' }) });
    expect(tiers).toMatchObject([{ tier: 'tomcat', condition: 'unknown', frozen: 0.07 }]);
  });

  it('knows turns and causes without their correlations', () => {
    const { turns, causes } = readFindings({
      turns: answer({ verdict: [[edge('tomcat', 'mariadb'), 1]] }, { correlation: 'no' }),
      causes: answer({ verdict: [[{ ...tier('tomcat'), cause: 'garbage_collection' }, 1]] }, { correlation: 'no' }),
    });
    expect(turns).toEqual([{ from: 'tomcat', to: 'mariadb', correlation: null }]);
    expect(causes).toEqual([{ tier: 'tomcat', cause: 'garbage_collection', correlation: null }]);
  });
});

describe('findTables', () => {
  it("finds the tables in Nstar's dashboard", () => {
    const file = join(__dirname, '../../dashboards/bottlenecks.json');
    const { tiers, turns, causes } = findTables(readDashboard(JSON.parse(readFileSync(file, 'utf8'))));
    const queries = (panel?: { targets?: Array<{ refId: string }> }) => panel?.targets?.map(({ refId }) => refId);
    expect(queries(tiers)).toEqual(
      expect.arrayContaining(['state', 'saturated', 'frozen', 'saturationPoint', 'maxThroughput'])
    );
    expect(queries(turns)).toEqual(expect.arrayContaining(['verdict', 'correlation']));
    expect(queries(causes)).toEqual(expect.arrayContaining(['verdict', 'correlation']));
  });
});
