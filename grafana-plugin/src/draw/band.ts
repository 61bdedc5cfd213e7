// SPDX-License-Identifier: Apache-2.0
import { GRAVEST_FIRST, State } from '../model/state';
import { Raster, Stripes } from './raster';

/** Share of windows in each state, per column of pixels and indexed by State; all 0 where there are no windows. */
export type StateColumns = ReadonlyArray<ArrayLike<number>>;

export interface BandColours {
  /** Indexed by State. */
  state: readonly number[];
  /** For the striped states. */
  stripes: Partial<Record<State, Stripes>>;
}

/** A strip in the raster's pixels. */
export interface PixelStrip {
  top: number;
  height: number;
}

/** A part of a column that is in one state, from its upper to its lower edge. */
export interface Piece {
  state: State;
  top: number;
  bottom: number;
}

/** From the bottom up: the most important states start from a common line. */
const STACK = GRAVEST_FIRST;

/**
 * Stacks the states of one column.
 *
 * Heights are in proportion to the shares, except that frozen is never less than `least`: one frozen window among many
 * must not vanish by rounding.
 */
export function stackColumn(columns: StateColumns, x: number, strip: PixelStrip, least: number): Piece[] {
  const total = STACK.reduce((sum, state) => sum + columns[state][x], 0);
  if (!(total > 0)) {
    return [];
  }
  const pieces: Piece[] = [];
  const frozen = columns[State.Frozen][x] / total;
  const reserved = frozen > 0 ? Math.min(strip.height, Math.max(least, Math.round(frozen * strip.height))) : 0;
  let bottom = strip.top + strip.height;
  let below = 0;
  for (const state of STACK) {
    below += columns[state][x] / total;
    // the states above frozen share the rest, in their own proportions
    const rest = state === State.Frozen || frozen >= 1 ? 0 : (below - frozen) / (1 - frozen);
    const top = strip.top + strip.height - reserved - Math.round(rest * (strip.height - reserved));
    if (top < bottom) {
      pieces.push({ state, top, bottom });
      bottom = top;
    }
  }
  return pieces;
}

/** The state that takes most of a column, all over it; the gravest of equal ones. */
export function wholeColumn(columns: StateColumns, x: number, strip: PixelStrip): Piece[] {
  const state = STACK.reduce((best, other) => (columns[other][x] > columns[best][x] ? other : best));
  return columns[state][x] > 0 ? [{ state, top: strip.top, bottom: strip.top + strip.height }] : [];
}

/** For each column with frozen windows, how many such columns stand together there. */
export function frozenRuns(frozen: ArrayLike<number>, count: number): Uint32Array {
  const runs = new Uint32Array(count);
  let start = 0;
  for (let x = 0; x <= count; x++) {
    if (x === count || !(frozen[x] > 0)) {
      runs.fill(x - start, start, x);
      start = x + 1;
    }
  }
  return runs;
}

/** How the band of states is drawn, in the raster's pixels. */
export interface BandTexture {
  /** The least height of frozen. */
  least: number;
  /** Distance of the stripes; if frozen takes fewer columns, it is drawn plain: stripes would only make it paler. */
  period: number;
  /** Windows are wider than columns: a column is in one state, and the windows' edges are straight. */
  crisp: boolean;
}

/** Draws one lane's band of states. */
export function paintBand(
  raster: Raster,
  strip: PixelStrip,
  columns: StateColumns,
  colours: BandColours,
  { least, period, crisp }: BandTexture
) {
  const runs = frozenRuns(columns[State.Frozen], raster.width);
  for (let x = 0; x < raster.width; x++) {
    const pieces = crisp ? wholeColumn(columns, x, strip) : stackColumn(columns, x, strip, least);
    for (const { state, top, bottom } of pieces) {
      const stripes = colours.stripes[state];
      if (stripes && (state !== State.Frozen || runs[x] >= period)) {
        raster.hatchedColumn(x, top, bottom, colours.state[state], stripes, period);
      } else {
        raster.column(x, top, bottom, colours.state[state]);
      }
    }
  }
}
