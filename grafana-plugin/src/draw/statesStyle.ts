// SPDX-License-Identifier: Apache-2.0
import { State, STATE_WORDS } from '../model/state';
import { channels, Shade, stateColour } from './colour';
import { LaneColours } from './lanePainter';
import { pixel } from './raster';

/** The parts of a theme that the time lines need; colours as #rrggbb unless noted otherwise. */
export interface PlotTheme extends Shade {
  /** For the panel. */
  background: string;
  text: string;
  /** For ticks and small text. */
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

/** How much of the background shows in stripes. */
const STRIPE = { frozen: 0.6, unknown: 0.75, unjudged: 0.7 };

/** The stripes of a state, as the bands and the swatches show it; null for plain states. */
export function stripesOf(state: State, theme: PlotTheme): { rgb: [number, number, number]; lean: 1 | -1 } | null {
  switch (state) {
    case State.Frozen:
      return { rgb: mix(stateColour(state, theme), theme.background, STRIPE.frozen), lean: 1 };
    case State.Unknown:
      return { rgb: mix(stateColour(state, theme), theme.background, STRIPE.unknown), lean: -1 };
    case State.Unjudged:
      return { rgb: mix(stateColour(State.Unknown, theme), theme.background, STRIPE.unjudged), lean: -1 };
    default:
      return null;
  }
}

/** The colours of a tier's lane. */
export function laneColours(tier: string, theme: PlotTheme): LaneColours {
  const stripes: LaneColours['stripes'] = {};
  STATE_WORDS.forEach((_, state) => {
    const found = stripesOf(state, theme);
    if (found) {
      stripes[state as State] = { colour: pixel(...found.rgb), lean: found.lean };
    }
  });
  return {
    // a window that is not judged yet has stripes and nothing between them
    state: STATE_WORDS.map((_, state) =>
      state === State.Unjudged ? 0 : pixel(...channels(stateColour(state, theme)))
    ),
    stripes,
    queueMax: pixel(...mix(tier, theme.background, 0.8)),
    queueMean: pixel(...mix(tier, theme.background, 0.6)),
    queueLine: pixel(...channels(tier)),
    gc: pixel(...mix(theme.text, theme.background, 0.3)),
    gcTrack: pixel(...mix(theme.text, theme.background, 0.9)),
  };
}
