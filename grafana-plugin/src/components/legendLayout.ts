// SPDX-License-Identifier: Apache-2.0

/** The legend as a table of figures, as lines of names, or not at all. */
export type LegendForm = 'table' | 'line' | 'none';

export interface LegendLayout {
  form: LegendForm;
  /** CSS pixels. */
  height: number;
}

/** Height of a row of the table, and of the line. */
export const ROW = 22;
const GAP = 6;
/** The table takes at most this part of the panel; it scrolls beyond. */
const MOST = 0.35;
const TABLE_FROM = 260;
/** Width of the table's figures beside the names, without and with all states, CSS pixels. */
const FIGURES = 520;
const ALL_FIGURES = 770;
/** In lower panels even a line would take too much from the picture. */
const LINE_FROM = 90;
/**
 * In higher panels, a legend that does not fit in one line takes more: one for the names, which scroll, and as
 * many as the key needs.
 */
const LINES_FROM = 180;

/** Widths in a line, CSS pixels: a letter, the space around a tier's name, and the key to the states. */
const LETTER = 7;
const AROUND = 32;
const KEY = 480;

/**
 * How much of a panel the legend takes; known beforehand, so that the picture need not be drawn twice.
 *
 * @param names of the tiers; none if no legend is wanted
 * @param key whether the states are explained too
 */
export function layoutLegend(names: readonly string[], key: boolean, width: number, height: number): LegendLayout {
  if (names.length === 0 || height < LINE_FROM) {
    return { form: 'none', height: 0 };
  }
  const longest = Math.max(...names.map((name) => name.length)) * LETTER + AROUND;
  if (height >= TABLE_FROM && width >= longest + (key ? ALL_FIGURES : FIGURES)) {
    const full = (names.length + 1) * ROW + GAP;
    return { form: 'table', height: Math.min(full, Math.round(height * MOST)) };
  }
  const length = names.reduce((sum, name) => sum + name.length * LETTER + AROUND, 0);
  const keyed = key ? KEY : 0;
  const fits = height < LINES_FROM || length + keyed <= width;
  const lines = fits ? 1 : Math.min(key ? 1 : 2, Math.ceil(length / width)) + Math.ceil(keyed / width);
  return { form: 'line', height: lines * ROW + GAP };
}
