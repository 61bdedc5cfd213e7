// SPDX-License-Identifier: Apache-2.0
import { State } from '../model/state';

/** The parts of a theme that this file needs; a GrafanaTheme2 has them. */
export interface Shade {
  isDark: boolean;
}

// Red and amber are left to the states, so that a tier is never taken for an alarm. Within a theme the tiers differ in
// lightness as well as in hue, so that they stay apart for colour-blind eyes; each has contrast 4.5 on the panel's
// background, because labels are written in it. colour.test.ts checks both.
const TIERS = {
  dark: ['#4aa3ff', '#d9e36b', '#7fe9e0', '#b58fb8', '#7479ff', '#3d9970'],
  light: ['#1a6fe0', '#4a2a55', '#00806f', '#af3db1', '#2d2baf', '#4f6f2a'],
};

// In the order of State. Servers are saturated for long and frozen for moments, so frozen has the greatest contrast to
// all the others, and idle looks like a hole. Waiting is calm: it is no fault of the tier's own. Unknown is a grey,
// with stripes.
const STATES = {
  dark: ['#2d323a', '#5585bd', '#956a1f', '#ff4d63', '#5b4d86', '#b2b2b6'],
  light: ['#e1e4e9', '#7fa3cc', '#e8b866', '#d0142f', '#7a6cae', '#84848a'],
};

/** How many tiers get a colour of their own; the colours repeat after that. */
export const TIER_COLOURS = TIERS.dark.length;

/** Colour of a tier by its place in the picture, #rrggbb. */
export function tierColour(index: number, theme: Shade): string {
  return (theme.isDark ? TIERS.dark : TIERS.light)[index % TIER_COLOURS];
}

/** Colour of a judged state, #rrggbb; a window that is not judged yet looks like an unknown one. */
export function stateColour(state: State, theme: Shade): string {
  return (theme.isDark ? STATES.dark : STATES.light)[Math.min(state, State.Unknown)];
}

/** Red, green and blue of #rrggbb, 0 to 255. */
export function channels(colour: string): [number, number, number] {
  const value = parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** The colour with an opacity, for canvas and CSS. */
export function fade(colour: string, opacity: number): string {
  return `rgba(${channels(colour).join(',')},${opacity})`;
}
