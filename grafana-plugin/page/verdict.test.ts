// SPDX-License-Identifier: Apache-2.0
import { Condition, Findings, TierNow } from './findings';
import { verdict } from './verdict';

const tier = (name: string, condition: Condition, saturated = 0, frozen = 0): TierNow => ({
  tier: name,
  instance: 'a:1',
  condition,
  saturated,
  frozen,
  saturationPoint: 7,
  maxThroughput: 500,
});

const findings = (tiers: TierNow[], more: Partial<Findings> = {}): Findings => ({
  tiers,
  turns: [],
  causes: [],
  failed: { tiers: new Map(), turns: new Map(), causes: new Map() },
  ...more,
});
const gc = { tier: 'tomcat', cause: 'garbage_collection', correlation: 0.553 };

describe('verdict', () => {
  it('names the tiers that take turns, and the cause in one of them', () => {
    const turns = [
      { from: 'tomcat', to: 'mariadb', correlation: -0.421 },
      { from: 'httpd', to: 'tomcat', correlation: -0.31 },
    ];
    const all = findings([tier('tomcat', 'frozen')], { turns, causes: [{ ...gc, tier: 'other' }, gc] });
    expect(verdict(all)).toEqual({
      weight: 'bad',
      text:
        'tomcat and mariadb take turns as the bottleneck (correlation -0.42). ' +
        'Likely cause: garbage collection in tomcat (correlation 0.55).',
    });
    expect(verdict({ ...all, causes: [] }).text).toBe(
      'tomcat and mariadb take turns as the bottleneck (correlation -0.42).'
    );
    const half = all.turns.map((pair) => ({ ...pair, correlation: -0.5008 }));
    expect(verdict({ ...all, turns: half, causes: [] }).text).toContain('(correlation -0.50)');
  });

  it('names frozen tiers before saturated ones', () => {
    const tiers = [tier('mariadb', 'saturated', 0.744), tier('httpd', 'ok'), tier('tomcat', 'frozen', 0.8, 0.069)];
    expect(verdict(findings(tiers))).toEqual({
      weight: 'bad',
      text: 'tomcat is frozen in 6.9\u00a0% of its windows and mariadb is saturated in 74\u00a0% of its windows.',
    });
  });

  it('gives a cause only for a tier that is frozen', () => {
    const tiers = [tier('tomcat', 'frozen', 0, 0.05)];
    expect(verdict(findings(tiers, { causes: [gc] })).text).toMatch(/Likely cause: garbage collection in tomcat/);
    expect(verdict(findings(tiers, { causes: [{ ...gc, tier: 'httpd' }] })).text).not.toMatch(/cause/);
  });

  it('names a saturated tier', () => {
    expect(verdict(findings([tier('mariadb', 'saturated', 0.3)]))).toEqual({
      weight: 'worth-a-look',
      text: 'mariadb is saturated in 30\u00a0% of its windows.',
    });
  });

  it.each([
    ['good', [tier('httpd', 'ok'), tier('batch', 'unseen')], /No tier is saturated or frozen/],
    ['unknown', [tier('batch', 'unseen')], /none can be called saturated/],
    ['unknown', [], /No states were recorded/],
  ])('is %s without anything to say', (weight, tiers, text) => {
    expect(verdict(findings(tiers))).toEqual({ weight, text: expect.stringMatching(text) });
  });

  it('leaves out numbers that are not known', () => {
    const tiers = [
      { ...tier('tomcat', 'frozen'), frozen: null },
      { ...tier('mariadb', 'saturated'), saturated: null },
    ];
    expect(verdict(findings(tiers)).text).toBe('tomcat is frozen and mariadb is saturated.');
    const turns = [{ from: 'tomcat', to: 'mariadb', correlation: null }];
    expect(verdict(findings(tiers, { turns, causes: [{ ...gc, correlation: null }] })).text).toBe(
      'tomcat and mariadb take turns as the bottleneck. Likely cause: garbage collection in tomcat.'
    );
  });
});

describe('verdict where a query has no answer', () => {
  const ok = [tier('httpd', 'ok')];
  const frozen = [tier('tomcat', 'frozen', 0, 0.07)];
  const without = (tiers: TierNow[], failed: Partial<Findings['failed']>, more: Partial<Findings> = {}) =>
    verdict(findings(tiers, { ...more, failed: { ...findings([]).failed, ...failed } }));
  const slow = new Map([['verdict', 'query timed out']]);
  const noStates = 'Which tiers are frozen or saturated could not be judged (query state: too many samples).';
  const noTurns = 'Whether tiers take turns could not be judged (query verdict: query timed out).';
  const noCauses = 'Likely causes could not be judged (query verdict: query timed out).';

  it.each([[[]], [[tier('tomcat', 'unknown')]]])('gives none without the states, and says why', (tiers) => {
    expect(without(tiers, { tiers: new Map([['state', 'too many samples.']]) })).toEqual({
      weight: 'unknown',
      text: `No verdict can be given. ${noStates}`,
    });
  });

  it('says everything that failed', () => {
    const all = without([], { tiers: new Map([['state', 'too many samples']]), turns: slow, causes: slow });
    expect(all.text).toBe(`No verdict can be given. ${noStates} ${noTurns} ${noCauses}`);
  });

  it('does not say that nothing is the matter without the turns', () => {
    expect(without(ok, { turns: slow })).toEqual({ weight: 'unknown', text: `No verdict can be given. ${noTurns}` });
  });

  it('is not good without the causes', () => {
    expect(without(ok, { causes: slow })).toEqual({
      weight: 'unknown',
      text: `No tier is saturated or frozen often enough to matter. ${noCauses}`,
    });
  });

  it('says what is known all the same', () => {
    const named = 'tomcat is frozen in 7\u00a0% of its windows.';
    expect(without(frozen, { turns: slow }, { causes: [gc] })).toEqual({
      weight: 'bad',
      text: `${named} Likely cause: garbage collection in tomcat (correlation 0.55). ${noTurns}`,
    });
    expect(without(frozen, { causes: slow })).toEqual({ weight: 'bad', text: `${named} ${noCauses}` });
    expect(without([tier('mariadb', 'saturated', 0.3)], { turns: slow })).toEqual({
      weight: 'worth-a-look',
      text: `mariadb is saturated in 30\u00a0% of its windows. ${noTurns}`,
    });
    const turns = [{ from: 'tomcat', to: 'mariadb', correlation: -0.4 }];
    expect(without([], { tiers: new Map([['state', 'too many samples']]) }, { turns })).toEqual({
      weight: 'bad',
      text: `tomcat and mariadb take turns as the bottleneck (correlation -0.40). ${noStates}`,
    });
  });

  it('does without queries that no sentence needs', () => {
    const unneeded = { tiers: new Map([['queue', 'no']]), turns: new Map([['bothBeyond', 'no']]) };
    expect(without(ok, unneeded).weight).toBe('good');
  });
});
