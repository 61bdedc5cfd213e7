// SPDX-License-Identifier: Apache-2.0
import { fillQuery, fillSpans, fillText, Scope } from './interpolate';

const scope: Scope = new Map([
  ['app', { values: ['bboard'] }],
  ['tier', { values: ['httpd', 'tomcat'] }],
  ['instance', { values: ['a'], text: 'All', allValue: '.+' }],
  ['odd', { values: ['10.0.0.1:9965', 'a|b"\\'] }],
  ['single', { values: ['sh.op|"\\'], multi: false, includeAll: false }],
  ['either', { values: ['sh.op'], multi: false, includeAll: true }],
  ['none', { values: [], multi: false, includeAll: false }],
]);

describe('fillQuery', () => {
  it.each([
    ['x{app=~"$app"}', 'x{app=~"bboard"}'],
    ['x{app=~"${app}"}', 'x{app=~"bboard"}'],
    ['x{app=~"[[app]]"}', 'x{app=~"bboard"}'],
    ['x{tier=~"$tier"}', 'x{tier=~"(httpd|tomcat)"}'],
    ['x{instance=~"$instance"}', 'x{instance=~".+"}'],
    ['x{tier=~"${tier:pipe}"}', 'x{tier=~"httpd|tomcat"}'],
    ['x{tier=~"${tier:csv}"}', 'x{tier=~"httpd,tomcat"}'],
    ['x{tier=~"${tier:raw}"}', 'x{tier=~"{httpd,tomcat}"}'],
    ['x[$__range] $other $1', 'x[$__range] $other $1'],
  ])('%s becomes %s', (before, after) => {
    expect(fillQuery(before, scope)).toBe(after);
  });

  it('takes values literally, as a regular expression within a string of PromQL', () => {
    expect(fillQuery('$odd', scope)).toBe(String.raw`(10\\.0\\.0\\.1:9965|a\\|b\"\\\\)`);
  });

  it('takes the value of a variable that has only one as a string of PromQL', () => {
    expect(fillQuery('x{app="$single"}', scope)).toBe(String.raw`x{app="sh.op|\"\\"}`);
    expect(fillQuery('x{app="$none"}', scope)).toBe('x{app=""}');
  });

  it('takes one of a choice with "All" as a regular expression', () => {
    expect(fillQuery('x{app=~"$either"}', scope)).toBe(String.raw`x{app=~"sh\\.op"}`);
  });
});

describe('fillText', () => {
  it('writes what people read', () => {
    expect(fillText('$tier of $app on $instance', scope)).toBe('httpd + tomcat of bboard on All');
  });
});

describe('fillSpans', () => {
  it('writes spans that PromQL takes', () => {
    const spans = { interval: 50, rateInterval: 60000, range: 120400 };
    expect(
      fillSpans('a[$__interval] b[${__rate_interval}] c[$__range] $__interval_ms $__range_s $__range_ms', spans)
    ).toBe('a[50ms] b[60000ms] c[120s] 50 120 120400');
  });

  it('leaves other names alone', () => {
    expect(fillSpans('$__from $x', { interval: 1, rateInterval: 1, range: 1 })).toBe('$__from $x');
  });
});
