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
});
