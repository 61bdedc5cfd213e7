// SPDX-License-Identifier: Apache-2.0

/** Colours of the states, legible on dark and on light, close to those of the Main sequence panel. */
export const STATE_COLOUR = {
  idle: '#59626e',
  normal: '#4f78a8',
  saturated: '#e5a01f',
  frozen: '#e8394f',
  waiting: '#7a6cae',
  unknown: '#a3a3a8',
};

export const OK = 'green';
export const NOTED = STATE_COLOUR.saturated;
export const ALARM = STATE_COLOUR.frozen;
/** Of what is not known: neither healthy nor alarming. */
export const UNKNOWN = STATE_COLOUR.unknown;
