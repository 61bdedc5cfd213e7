// SPDX-License-Identifier: Apache-2.0

/** Something the reader of the picture should know. */
export interface Notice {
  severity: 'info' | 'warning' | 'error';
  text: string;
}

/** How many names a notice lists before it only counts. */
const LISTED = 3;

/** "a", "a and b", "a, b and c", "a, b, c and 4 more". */
export function list(names: readonly string[]): string {
  const shown = names.length > LISTED + 1 ? [...names.slice(0, LISTED), `${names.length - LISTED} more`] : [...names];
  const end = shown.pop() ?? '';
  return shown.length > 0 ? `${shown.join(', ')} and ${end}` : end;
}
