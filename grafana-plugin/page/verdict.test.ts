// SPDX-License-Identifier: Apache-2.0
import { Findings, readFindings, Said } from './findings';
import { verdict, Vocabulary } from './verdict';

const WORDS: Vocabulary = { cause: (cause) => cause.replaceAll('_', ' '), advice: (cause) => `Mend ${cause}.` };

const SAID: Said = {
  app: 'board',
  verdict: 'single_bottleneck',
  tier: 'tomcat',
  cause: 'garbage_collection',
  response: 0.3312,
  cost: 0.1798,
  share: 0.543,
};

const told = (said: Partial<Said> | null, more: Partial<Findings> = {}) =>
  verdict({ ...readFindings({}), said: said && { ...SAID, ...said }, ...more }, WORDS);

const failing = (failed: Partial<Findings['failed']>) => ({ failed: { ...readFindings({}).failed, ...failed } });

/** With ordinary spaces. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('verdict', () => {
  it('names the bottleneck, its cause, what it costs and what to do', () => {
    const { weight, text, advice } = told({});
    expect(weight).toBe('bad');
    expect(plain(text)).toBe(
      'tomcat is the bottleneck (cause: garbage collection): ' +
        'it costs 180 ms of the mean response time of 331 ms (54 %).'
    );
    expect(advice).toBe('Mend garbage_collection.');
  });

  it('says that a bottleneck alternates', () => {
    const { weight, text } = told({ verdict: 'alternating_bottleneck' });
    expect(weight).toBe('bad');
    expect(plain(text)).toBe(
      'The bottleneck alternates between tiers again and again; tomcat causes most of the waiting ' +
        '(cause: garbage collection): it costs 180 ms of the mean response time of 331 ms (54 %).'
    );
  });

  it('leaves out numbers that are not known', () => {
    expect(plain(told({ response: null }).text)).toBe(
      'tomcat is the bottleneck (cause: garbage collection): it costs 54 % of the mean response time.'
    );
    expect(told({ share: null }).text).toBe('tomcat is the bottleneck (cause: garbage collection).');
  });

  const none = { tier: '', cause: '', cost: null, share: null };

  it('is good where the application is healthy, and there alone', () => {
    const healthy = told({ ...none, verdict: 'healthy', response: 0.0053 });
    expect(plain(healthy.text)).toBe('board is healthy; mean response time 5.3 ms.');
    expect([healthy.weight, healthy.advice]).toEqual(['good', '']);
    for (const other of ['learning', 'single_bottleneck', 'alternating_bottleneck', 'whatever_comes']) {
      expect(told({ ...none, verdict: other }).weight).not.toBe('good');
    }
    expect(told(null).weight).toBe('unknown');
  });

  it('never calls healthy what is being learned', () => {
    const { weight, text } = told({ ...none, verdict: 'learning' });
    expect(weight).toBe('unknown');
    expect(text).toMatch(/still learning .* does not name a bottleneck or call board healthy; mean response time/);
  });

  it('says a verdict that it does not know as it is', () => {
    expect(told({ ...none, verdict: 'whatever_comes' }).text).toBe('The verdict on board is whatever comes.');
  });

  it('says where the time passes, the longest first', () => {
    const waited = [
      { tier: 'httpd', seconds: 0.001 },
      { tier: 'tomcat', seconds: 0.19 },
      { tier: 'mariadb', seconds: 0.137 },
    ];
    expect(plain(told({}, { waited }).where)).toBe(
      'Of the mean response time of 328 ms, 190 ms pass in tomcat, 137 ms in mariadb, and 1.0 ms in httpd.'
    );
    expect(plain(told({}, { waited: waited.slice(1, 2) }).where)).toBe(
      'Of the mean response time of 190 ms, 190 ms pass in tomcat.'
    );
    expect(told({}).where).toBe('');
  });

  it('says that nothing was recorded', () => {
    expect(told(null).text).toBe('No verdict was recorded here: choose a time range with traffic.');
  });

  it('says what could not be asked, and why', () => {
    const slow = new Map([['verdict', 'query timed out.']]);
    expect(told(null, failing({ verdict: slow }))).toMatchObject({
      weight: 'unknown',
      text: 'No verdict can be given. The verdict could not be read (query verdict: query timed out).',
    });
    const some = failing({
      verdict: new Map([['cost', 'no']]),
      waited: new Map([['waited', 'no']]),
      charged: new Map([['time', 'no']]),
    });
    const { text } = told({ cost: null }, some);
    expect(text).toMatch(/The cost could.*The time of each tier could.*The time of each cause could/);
    expect(text).toMatch(/each cause could not be read \(query time: no\)\.$/);
  });

  it('does without queries that no sentence needs', () => {
    const unneeded = failing({ charged: new Map([['tail', 'no']]), tiers: new Map([['frozen', 'no']]) });
    expect(told({ ...none, verdict: 'healthy' }, unneeded).text).not.toContain('could not');
  });
});
