// SPDX-License-Identifier: Apache-2.0
import { rangeToAddress, shifted, timeRange } from './range';

const range = (from: string, to: string) => timeRange({ from, to, timezone: 'utc' });
const length = ({ from, to }: ReturnType<typeof timeRange>) => to.valueOf() - from.valueOf();

describe('timeRange', () => {
  it('reads times in ms', () => {
    const { from, to } = range('1795240310050', '1795240530000');
    expect([from.valueOf(), to.valueOf()]).toEqual([1795240310050, 1795240530000]);
  });

  it('reads times relative to now, and keeps them relative', () => {
    const now = range('now-2m', 'now');
    expect(length(now)).toBeCloseTo(120000, -2);
    expect(rangeToAddress(now)).toEqual({ from: 'now-2m', to: 'now' });
  });

  it('reads ISO 8601', () => {
    expect(range('2026-11-21T05:51:50Z', '2026-11-21T05:55:30Z').from.valueOf()).toBe(1795240310000);
  });

  it.each([
    ['yesterday', 'now'],
    ['1795240530000', '1795240310000'],
    ['now', 'now-1h'],
  ])('takes the last two minutes instead of %s to %s', (from, to) => {
    expect(rangeToAddress(range(from, to))).toEqual({ from: 'now-2m', to: 'now' });
  });
});

describe('shifted', () => {
  const minute = range('1000000', '1060000');

  it('moves by half of the range', () => {
    expect(shifted(minute, -0.5)).toEqual({ from: '970000', to: '1030000' });
  });

  it('widens around the middle', () => {
    expect(shifted(minute, 0, 2)).toEqual({ from: '970000', to: '1090000' });
  });
});
