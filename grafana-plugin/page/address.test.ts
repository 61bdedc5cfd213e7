// SPDX-License-Identifier: Apache-2.0
import { DEFAULTS, readAddress, writeAddress } from './address';

describe('address', () => {
  it('is two minutes to now, every 5 s, unless it says otherwise', () => {
    expect(readAddress('')).toEqual(DEFAULTS);
    expect(writeAddress(DEFAULTS)).toBe('');
  });

  it('survives being written and read', () => {
    const address = {
      from: '1795240310000',
      to: '1795240530000',
      refresh: '',
      timezone: 'utc',
      theme: 'light' as const,
      viewPanel: '9-tomcat',
      prometheus: 'http://127.0.0.1:29090',
      variables: { app: ['b&b'], tier: ['httpd', 'tomcat'] },
    };
    expect(readAddress(writeAddress(address))).toEqual(address);
  });

  it("uses Grafana's names", () => {
    expect(writeAddress({ ...DEFAULTS, from: 'now-5m', refresh: '10s', variables: { tier: ['a', 'b'] } })).toBe(
      '?from=now-5m&refresh=10s&to=now&var-tier=a&var-tier=b'
    );
  });

  it('ignores a theme that it does not know', () => {
    expect(readAddress('?theme=solarized').theme).toBeUndefined();
  });
});
