// SPDX-License-Identifier: Apache-2.0
import { State, STATES } from '../model/state';
import { channels, Shade, stateColour } from './colour';
import { LaneColours } from './lanePainter';
import { pixel } from './raster';

/** What the time lines need of a theme; colours as #rrggbb unless they say otherwise. */
export interface PlotTheme extends Shade {
  /** Of the panel. */
  background: string;
  text: string;
  /** Of ticks and small writing. */
  faintText: string;
  /** Any CSS colour. */
  grid: string;
  fontFamily: string;
}

/** Mixes a colour into another, both #rrggbb. */
export function mix(colour: string, other: string, part: number): [number, number, number] {
  const from = channels(colour);
  const to = channels(other);
  return [0, 1, 2].map((i) => Math.round(from[i] + (to[i] - from[i]) * part)) as [number, number, number];
}

/** How much of the background shows in the stripes of frozen. */
export const STRIPE = 0.6;

/** The colours of a tier's lane. */
export function laneColours(tier: string, theme: PlotTheme): LaneColours {
  const states = STATES.map((_, state) => pixel(...channels(stateColour(state, theme))));
  return {
    state: states as [number, number, number, number],
    stripe: pixel(...mix(stateColour(State.Frozen, theme), theme.background, STRIPE)),
    queueMax: pixel(...mix(tier, theme.background, 0.8)),
    queueMean: pixel(...mix(tier, theme.background, 0.6)),
    queueLine: pixel(...channels(tier)),
    gc: pixel(...mix(theme.text, theme.background, 0.3)),
    gcTrack: pixel(...mix(theme.text, theme.background, 0.9)),
  };
}
