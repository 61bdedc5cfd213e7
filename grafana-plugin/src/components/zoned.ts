// SPDX-License-Identifier: Apache-2.0
import uPlot from 'uplot';
import { getTimeZone } from '@grafana/data';

/** A date whose local fields show the time in a time zone; uPlot puts its ticks at round local times. */
export function zoned(ms: number, timeZone: string): Date {
  const zone = getTimeZone({ timeZone });
  const date = new Date(ms);
  if (zone === 'browser') {
    return date;
  }
  return uPlot.tzDate(date, zone === 'utc' ? 'Etc/UTC' : zone);
}
