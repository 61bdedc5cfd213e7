// SPDX-License-Identifier: Apache-2.0
import { formatMilliseconds, formatCount, formatMoment, formatNumber, formatRate, formatShare } from './format';

test.each([
  [0, '0'],
  [0.004, '0.004'],
  [0.0125, '0.0125'],
  [0.03126, '0.0313'],
  [0.7, '0.7'],
  [0.1 + 0.2, '0.3'],
  [0.9997, '1'],
  [-0.0042, '-0.0042'],
  [1.234, '1.23'],
  [1.5, '1.5'],
  [12.34, '12.3'],
  [143.2, '143'],
  [3600, '3,600'],
  [NaN, '–'],
])('formatNumber(%d)', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test('marks of an axis differ, however short its queues', () => {
  expect([0, 0.0025, 0.005, 0.0075, 0.01, 0.0125].map(formatNumber)).toEqual([
    '0',
    '0.0025',
    '0.005',
    '0.0075',
    '0.01',
    '0.0125',
  ]);
});

test.each([
  [0, '0 %'],
  [0.0004, '<0.1 %'],
  [0.067, '6.7 %'],
  [0.0996, '10 %'],
  [0.5, '50 %'],
  [0.91, '91 %'],
  [0.9999, '99.9 %'],
  [1, '100 %'],
  [NaN, '–'],
])('formatShare(%d)', (share, text) => {
  expect(formatShare(share).replace('\u00a0', ' ')).toBe(text);
});

test('rates, counts and moments', () => {
  expect(formatRate(434.4)).toBe('434/s');
  expect(formatCount(100_000)).toBe('100,000');
  expect(formatMoment(Date.UTC(2026, 0, 5, 9, 0, 0, 50), 'utc')).toBe('2026-01-05 09:00:00.050');
  expect(formatMoment(Date.UTC(2026, 0, 5, 9, 0, 0, 50), 'Asia/Tokyo')).toBe('2026-01-05 18:00:00.050');
});

describe('formatMilliseconds', () => {
  it.each([
    [0.33149, '331 ms'],
    [0.00996, '10 ms'],
    [0.0053, '5.3 ms'],
    [0.000961, '1.0 ms'],
    [12.3456, '12,346 ms'],
    [0, '0 ms'],
    [NaN, '–'],
  ])('writes %d s as %s', (seconds, text) => {
    expect(formatMilliseconds(seconds).replace('\u00a0', ' ')).toBe(text);
  });
});
