// SPDX-License-Identifier: Apache-2.0

/** Something the reader of the picture should know. */
export interface Notice {
  severity: 'info' | 'warning' | 'error';
  text: string;
}
