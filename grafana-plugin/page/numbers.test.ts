// SPDX-License-Identifier: Apache-2.0
import { decimals, percent, perSecond, queueLength } from './numbers';

it.each([
  [0, '0 %'],
  [0.004, '0.4 %'],
  [0.0994, '9.9 %'],
  [0.0996, '10 %'],
  [0.745, '75 %'],
  [1, '100 %'],
  [null, '–'],
])('the share %s is %s', (share, text) => {
  expect(percent(share)).toBe(text);
});

it.each([
  [7.44, '7.4'],
  [123.4, '123'],
  [null, 'not seen'],
])('the queue length %s is %s', (value, text) => {
  expect(queueLength(value)).toBe(text);
});

it('groups thousands, and writes a true minus sign', () => {
  expect(perSecond(1720.6)).toBe('1,721/s');
  expect(perSecond(null)).toBe('–');
  expect(decimals(-0.4172, 2)).toBe('−0.42');
});
