// SPDX-License-Identifier: Apache-2.0

/** Colours of the states, legible on dark and on light, close to those of the Main sequence panel. */
export const STATE_COLOUR = { idle: '#8b919a', normal: '#4f78a8', saturated: '#e5a01f', frozen: '#e8394f' };

export const OK = 'green';
export const NOTED = STATE_COLOUR.saturated;
export const ALARM = STATE_COLOUR.frozen;
export const QUIET = 'transparent';
