// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'fs';
import { join } from 'path';
import { dateTime, LoadingState, PanelData } from '@grafana/data';
import { readDashboard } from '../host/dashboard';
import { toFrames } from '../host/frames';
import { findTables, readFindings } from './findings';
import { wordsOf } from './words';

type Series = Array<[Record<string, string>, number]>;

const from = dateTime(0);
const to = dateTime(1000);

/** The answers to the queries of a table, and the errors of the others. */
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
const charge = (name: string, cause: string) => ({ app: 'board', tier: name, cause });
const EDGES = answer({ edges: [[edge('tomcat', 'mariadb'), 1], [edge('httpd', 'tomcat'), 1]] }); // prettier-ignore

describe('readFindings', () => {
  it('has the verdict with what it costs', () => {
    const labels = { app: 'board', verdict: 'single_bottleneck', tier: 'tomcat', cause: 'garbage_collection' };
    const { said } = readFindings({
      verdict: answer({
        response: [[labels, 0.331]],
        verdict: [[{ ...labels, advice: 'garbage_collection' }, 0.54]],
        cost: [[labels, 0.18]],
        share: [[labels, 0.54]],
      }),
    });
    expect(said).toEqual({ ...labels, response: 0.331, cost: 0.18, share: 0.54 });
  });

  it('has no bottleneck where there is none', () => {
    const labels = { app: 'board', verdict: 'healthy' };
    const { said } = readFindings({ verdict: answer({ verdict: [[labels, 1]], response: [[labels, 0.0053]] }) });
    expect(said).toEqual({ ...labels, tier: '', cause: '', response: 0.0053, cost: null, share: null });
  });

  it('joins the queries of the tiers, callers first', () => {
    const { tiers } = readFindings(
      {
        tiers: answer({
          frozen: [[tier('mariadb'), 0.01], [tier('tomcat'), 0.07]], // prettier-ignore
          saturated: [[tier('mariadb'), 0.74]],
          saturationPoint: [[tier('tomcat'), 7.4]],
          status: [
            [{ ...tier('mariadb'), status: 'always_at_limit' }, 1],
            [{ ...tier('tomcat'), status: 'known' }, 1],
          ],
          maxThroughput: [[tier('tomcat'), 500]],
        }),
      },
      EDGES
    );
    const none = { frozen: null, saturated: null, waiting: null, unknown: null, nStar: null, tpMax: null };
    expect(tiers).toEqual([
      { ...none, tier: 'tomcat', instance: 'a:1', frozen: 0.07, nStar: 7.4, nStarStatus: 'known', tpMax: 500 },
      { ...none, tier: 'mariadb', instance: 'a:1', frozen: 0.01, saturated: 0.74, nStarStatus: 'always_at_limit' },
    ]);
  });

  it('has where the time passes and what it is charged to, tier by tier', () => {
    const { waited, charges, place } = readFindings(
      {
        waited: answer({
          waited: [
            [tier('mariadb'), 0.137],
            [tier('tomcat'), 0.19],
            [tier('httpd'), 0.001],
          ],
        }),
        charged: answer({
          time: [
            [charge('tomcat', 'work'), 0.01],
            [charge('mariadb', 'work'), 0.137],
            [charge('tomcat', 'garbage_collection'), 0.18],
            [charge('httpd', 'work'), 0],
          ],
          tail: [[charge('tomcat', 'garbage_collection'), 0.74]],
        }),
      },
      EDGES
    );
    expect(waited.map(({ tier, seconds }) => [tier, seconds])).toEqual([
      ['httpd', 0.001],
      ['tomcat', 0.19],
      ['mariadb', 0.137],
    ]);
    expect(charges).toEqual([
      { tier: 'tomcat', cause: 'garbage_collection', seconds: 0.18, tail: 0.74 },
      { tier: 'tomcat', cause: 'work', seconds: 0.01, tail: null },
      { tier: 'mariadb', cause: 'work', seconds: 0.137, tail: null },
    ]);
    expect([...place]).toEqual([['httpd', 0], ['tomcat', 1], ['mariadb', 2]]); // prettier-ignore
  });

  it('gives the tiers places as the panels do, also of those that are not shown', () => {
    const { place } = readFindings({ tiers: answer({ frozen: [[tier('mariadb'), 0]] }) }, EDGES);
    expect([...place]).toEqual([['mariadb', 2]]);
  });

  it('is empty where nothing was recorded', () => {
    const none = new Map();
    const failed = { verdict: none, waited: none, charged: none, tiers: none };
    const empty = { said: null, waited: [], charges: [], tiers: [], place: none, failed };
    expect(readFindings({ verdict: answer({ verdict: [] }) })).toEqual(empty);
    expect(readFindings({})).toEqual(empty);
    expect(readFindings({}, answer({ edges: [] }))).toEqual(empty);
  });

  it('keeps why a query has no answer, by table', () => {
    const { failed, said } = readFindings({
      verdict: answer({}, { verdict: 'many-to-many matching not allowed' }),
      tiers: answer({ saturated: [] }, { frozen: 'query timed out' }),
    });
    expect(said).toBeNull();
    expect(failed).toEqual({
      verdict: new Map([['verdict', 'many-to-many matching not allowed']]),
      waited: new Map(),
      charged: new Map(),
      tiers: new Map([['frozen', 'query timed out']]),
    });
  });
});

describe("in Nstar's dashboard", () => {
  const file = join(__dirname, '../../dashboards/bottlenecks.json');
  const tables = findTables(readDashboard(JSON.parse(readFileSync(file, 'utf8'))));
  const queries = (panel?: { targets?: Array<{ refId: string }> }) => panel?.targets?.map(({ refId }) => refId);

  it('there is everything that is read', () => {
    expect(queries(tables.verdict)).toEqual(['verdict', 'response', 'cost', 'share']);
    expect(queries(tables.waited)).toEqual(['waited']);
    expect(queries(tables.charged)).toEqual(['time', 'tail']);
    expect(queries(tables.tiers)).toEqual(
      expect.arrayContaining([
        'frozen',
        'saturated',
        'waiting',
        'unknown',
        'saturationPoint',
        'status',
        'maxThroughput',
      ])
    );
  });

  it.each([
    'garbage_collection',
    'stopped',
    'noisy_neighbour',
    'demand',
    'burst',
    'soft_resource',
    'slow',
    'errors',
    'unknown',
  ])('there are words for %s, and what to do about it', (cause) => {
    expect(wordsOf(tables.verdict, 'Cause')(cause)).not.toContain('_');
    expect(wordsOf(tables.verdict, 'What to do first')(cause)).toMatch(/^[A-Z].{30,}\.$/);
  });
});
