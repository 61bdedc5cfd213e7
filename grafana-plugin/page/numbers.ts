// SPDX-License-Identifier: Apache-2.0

/** What stands where nothing was recorded. */
const NONE = '–';

/** With a true minus sign. */
export function decimals(value: number, digits: number): string {
  return value.toFixed(digits).replace('-', '−');
}

export function percent(share: number | null): string {
  if (share === null) {
    return NONE;
  }
  return `${share > 0 && share < 0.0995 ? (share * 100).toFixed(1) : Math.round(share * 100)} %`;
}

export function queueLength(value: number | null): string {
  return value === null ? 'not seen' : value.toFixed(value < 100 ? 1 : 0);
}

export function perSecond(value: number | null): string {
  return value === null ? NONE : `${Math.round(value).toLocaleString('en')}/s`;
}
