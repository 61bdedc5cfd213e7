// SPDX-License-Identifier: Apache-2.0
import { dateMath, DateTime, dateTime, dateTimeForTimeZone, TimeRange, TimeZone } from '@grafana/data';
import { Address, DEFAULTS } from './address';

/** The time range of an address at this moment: ms since the epoch, `now-2m` and the like, or ISO 8601. */
export function timeRange({ from, to, timezone }: Pick<Address, 'from' | 'to' | 'timezone'>): TimeRange {
  const start = time(from, false, timezone);
  const end = time(to, true, timezone);
  if (!start || !end || !start.isBefore(end)) {
    return timeRange({ ...DEFAULTS, timezone });
  }
  return { from: start, to: end, raw: { from: relative(from) ? from : start, to: relative(to) ? to : end } };
}

function relative(text: string): boolean {
  return text.startsWith('now');
}

function time(text: string, roundUp: boolean, timeZone: TimeZone): DateTime | undefined {
  const parsed = /^\d+$/.test(text)
    ? dateTimeForTimeZone(timeZone, Number(text))
    : dateMath.parse(text, roundUp, timeZone);
  return parsed?.isValid() ? parsed : undefined;
}

/** How a range is written in the address. */
export function rangeToAddress({ raw }: TimeRange): Pick<Address, 'from' | 'to'> {
  return { from: written(raw.from), to: written(raw.to) };
}

function written(time: DateTime | string): string {
  return typeof time === 'string' ? time : String(dateTime(time).valueOf());
}

/** Moves both ends by a part of the range's length and widens it by a factor. */
export function shifted(range: TimeRange, move: number, widen = 1): Pick<Address, 'from' | 'to'> {
  const from = range.from.valueOf();
  const to = range.to.valueOf();
  const middle = (from + to) / 2 + move * (to - from);
  const half = (widen * (to - from)) / 2;
  return { from: String(Math.round(middle - half)), to: String(Math.round(middle + half)) };
}
