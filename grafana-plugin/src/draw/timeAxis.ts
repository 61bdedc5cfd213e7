// SPDX-License-Identifier: Apache-2.0

/** Writes a time; the pattern is one of {@link tickPattern}'s. */
export type TimeFormat = (ms: number, pattern: string) => string;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances of ticks, ms: round ones, finer by far than other time lines need. */
export const INCREMENTS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 30, 365].map((count) => count * DAY),
];

/** How a day is written: no longer than any time is, so that it takes no more room. */
const DATE = 'MM-DD';

/** Width of a letter in the axis' font, and the least distance of two labels, CSS pixels. */
const LETTER = 6.4;
const GAP = 18;

/** How to write ticks with this distance (ms): no finer than needed, milliseconds only if needed. */
export function tickPattern(increment: number): string {
  if (increment < SECOND) {
    return 'HH:mm:ss.SSS';
  }
  if (increment < MINUTE) {
    return 'HH:mm:ss';
  }
  return increment < DAY ? 'HH:mm' : DATE;
}

/** The text at ticks with this distance (ms): times, and at the first one of a day its date. */
export function tickLabels(ticks: readonly number[], increment: number, format: TimeFormat): string[] {
  const pattern = tickPattern(increment);
  return ticks.map((time, i) => {
    const before = i > 0 ? ticks[i - 1] : time - 1;
    return format(time, format(before, DATE) === format(time, DATE) ? pattern : DATE);
  });
}

/** Width of a label, CSS pixels. */
export function labelWidth(pattern: string): number {
  return pattern.length * LETTER;
}

/** Least distance of ticks so that their labels do not touch: finer ticks have longer labels. */
export function tickSpace(range: number, width: number): number {
  const patterns = ['HH:mm', 'HH:mm:ss', 'HH:mm:ss.SSS'];
  const spaces = patterns.map((pattern) => labelWidth(pattern) + GAP);
  const fits = spaces.find((space) => labelWidth(tickPattern((range / width) * space)) + GAP <= space);
  return fits ?? spaces[spaces.length - 1];
}
