// SPDX-License-Identifier: Apache-2.0
import { dateTimeFormat } from '@grafana/data';

/** Between number and unit: they must not be torn apart at the end of a line. */
const NARROW = '\u00a0';

/** Three digits below 1000, all digits above, thousands separated; a dash for anything that is no number. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) {
    return '–';
  }
  const size = Math.abs(value);
  // a fast server's queue may be of thousandths
  return value.toLocaleString('en-US', size < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
}

/** Per second. */
export function formatRate(value: number): string {
  return `${formatNumber(value)}/s`;
}

/** A share from 0 to 1 in per cent; a little is never written as 0 %, and almost all never as 100 %. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) {
    return '–';
  }
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) {
    return `<0.1${NARROW}%`;
  }
  const whole = percent === 0 || (percent >= 9.95 && percent < 99.5) || percent === 100;
  const written = whole ? Math.round(percent) : Math.min(Math.round(percent * 10) / 10, 99.9);
  return `${written}${NARROW}%`;
}

/** How many. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** A moment to the millisecond, in the dashboard's time zone. */
export function formatMoment(ms: number, timeZone: string): string {
  return dateTimeFormat(ms, { format: 'YYYY-MM-DD HH:mm:ss.SSS', timeZone });
}

/** Seconds in milliseconds, as nstartool writes them: whole ones, or one more digit if there are few. */
export function formatMilliseconds(seconds: number): string {
  if (!Number.isFinite(seconds)) {
    return '–';
  }
  const ms = seconds * 1000;
  const digits = ms >= 9.95 || ms === 0 ? 0 : 1;
  return `${ms.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${NARROW}ms`;
}
