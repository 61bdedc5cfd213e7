// SPDX-License-Identifier: Apache-2.0
import { serverOf } from './server';

describe('serverOf', () => {
  it.each([
    ['https://nstar.example/', 'https://nstar.example/'],
    ['https://nstar.example/board/index.html?from=now-5m', 'https://nstar.example/board/'],
  ])('asks where the page is: %s', (page, server) => {
    expect(serverOf(page, undefined)).toBe(server);
  });

  it.each(['http://127.0.0.1:29090', 'http://localhost:9090/prefix/'])('takes %s for development', (wanted) => {
    expect(serverOf('http://127.0.0.1:8080/', wanted)).toBe(new URL(`${wanted}/`.replace(/\/+$/, '/')).href);
  });

  it.each([
    ['http://127.0.0.1:8080/', 'http://elsewhere.example:9090'],
    ['https://nstar.example/', 'http://127.0.0.1:9090'],
    ['http://127.0.0.1:8080/', 'javascript:alert(1)'],
    ['http://127.0.0.1:8080/', 'nonsense'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:80@elsewhere.example/'],
  ])('lets no link on %s lead to %s', (page, wanted) => {
    expect(() => serverOf(page, wanted)).toThrow(/for development only.*leave it out/);
  });
});
