// SPDX-License-Identifier: Apache-2.0
import { State } from '../model/state';
import { channels, stateColour } from './colour';
import { Density, Ramp, ramp } from './density';
import { NOWHERE, Points } from './points';
import { pixel, Raster } from './raster';
import { PlotTheme } from './statesStyle';
import { diamond, disc, dot, put, Rgb, Stamp } from './stamp';

/** Up to this many windows each is a circle of its own; more are drawn as density. */
export const CIRCLES_UP_TO = 2000;
/** From this many on the dots and markers are smaller. */
const CROWD = 20_000;
/** From this many frozen windows on their markers are smaller. */
const MANY_FROZEN = 400;

/** Room around the plotting area for the markers of windows on its edge, CSS pixels. */
const MARGIN = 8;

/** The groups of windows that are drawn alike, from behind to in front; frozen ones are on top of everything. */
enum Group {
  Dimmed,
  /** Unknown or not judged yet: grey, whatever tier. */
  Unknown,
  Waiting,
  Normal,
  Saturated,
  FrozenDimmed,
  Frozen,
  /** Not on the plot. */
  None,
}

const DOTS = [Group.Dimmed, Group.Unknown, Group.Waiting, Group.Normal, Group.Saturated] as const;
const OPACITY = {
  [Group.Dimmed]: 0.13,
  [Group.Unknown]: 0.45,
  [Group.Waiting]: 0.45,
  [Group.Normal]: 0.45,
  [Group.Saturated]: 0.9,
};
const RAMPS: Record<(typeof DOTS)[number], Ramp> = {
  [Group.Dimmed]: ramp(0.08, 0.2, 64),
  [Group.Unknown]: ramp(0.34, 0.8, 64),
  [Group.Waiting]: ramp(0.34, 0.8, 64),
  [Group.Normal]: ramp(0.34, 0.8, 64),
  [Group.Saturated]: ramp(0.62, 1, 24),
};
const DIAMONDS = { [Group.FrozenDimmed]: 0.16, [Group.Frozen]: 1 };

/** How the points are to look. */
export interface ScatterStyle {
  theme: PlotTheme;
  /** Colour of each drawn tier, #rrggbb. */
  colours: string[];
}

/** Draws points into pixels. It keeps its memory from one drawing to the next. */
export class Scatter {
  readonly raster: Raster;
  /** How far the raster reaches beyond the plotting area, pixels of the device. */
  readonly margin: number;
  private readonly density: Density;

  /**
   * @param width of the plotting area, pixels of the device
   * @param ratio pixels of the device per CSS pixel
   */
  constructor(
    width: number,
    height: number,
    private readonly ratio: number
  ) {
    this.margin = Math.ceil(MARGIN * ratio);
    // whatever the width, neighbouring rows are odd pixels apart, so that groups that take turns make no stripes
    this.raster = new Raster((width + 1 + 2 * this.margin) | 1, height + 1 + 2 * this.margin);
    this.density = new Density(this.raster.pixels.length);
  }

  /**
   * @param selected 1 for the points that stay bright while the others are dimmed; null: none is dimmed
   */
  draw(points: Points, selected: Uint8Array | null, style: ScatterStyle) {
    this.raster.clear();
    const sorted = this.sort(points, selected);
    const tiers = style.colours.map((colour, t) => ({ t, rgb: channels(colour) }));
    const grey = channels(stateColour(State.Unknown, style.theme));
    for (const group of DOTS) {
      for (const { t, rgb: own } of tiers) {
        const rgb = group === Group.Unknown ? grey : own;
        if (points.count <= CIRCLES_UP_TO) {
          this.circles(sorted, points, t, group, rgb, style);
        } else {
          this.dots(sorted, points, t, group, rgb, style);
        }
      }
    }
    const radius = (sorted.frozen > MANY_FROZEN ? 4 : 5.5) * this.ratio;
    for (const group of [Group.FrozenDimmed, Group.Frozen] as const) {
      for (const { t, rgb } of tiers) {
        const colours = {
          core: rgb,
          ring: channels(stateColour(State.Frozen, style.theme)),
          halo: channels(style.theme.background),
        };
        this.stamp(sorted, points, t, group, diamond(radius, colours, DIAMONDS[group], this.raster.width));
      }
    }
  }

  private circles(
    sorted: Sorted,
    points: Points,
    t: number,
    group: (typeof DOTS)[number],
    rgb: Rgb,
    style: ScatterStyle
  ) {
    // the points behind are a little larger, so that windows at the same place show a rim of each colour
    const behind = Math.min(style.colours.length - 1 - t, 3);
    const radius = (3 + 0.9 * behind) * this.ratio;
    this.stamp(sorted, points, t, group, disc(radius, rgb, OPACITY[group], this.raster.width));
  }

  private dots(sorted: Sorted, points: Points, t: number, group: (typeof DOTS)[number], rgb: Rgb, style: ScatterStyle) {
    for (let i = points.start[t]; i < points.start[t + 1]; i++) {
      if (sorted.group[i] === group) {
        this.density.add(sorted.pixel[i]);
      }
    }
    const shape = dot((points.count > CROWD ? 1.2 : 2.3) * this.ratio, this.raster.width);
    this.density.colour(this.raster.pixels, shape, pixel(...rgb, 0), RAMPS[group], t, style.colours.length);
  }

  private stamp(sorted: Sorted, points: Points, t: number, group: Group, stamp: Stamp) {
    for (let i = points.start[t]; i < points.start[t + 1]; i++) {
      if (sorted.group[i] === group) {
        put(stamp, this.raster.pixels, sorted.pixel[i]);
      }
    }
  }

  private sort({ count, x, y, state }: Points, selected: Uint8Array | null): Sorted {
    const group = new Uint8Array(count);
    const at = new Uint32Array(count);
    let frozen = 0;
    for (let i = 0; i < count; i++) {
      group[i] = x[i] === NOWHERE ? Group.None : groupOf(state[i], selected === null || selected[i] === 1);
      at[i] = (y[i] + this.margin) * this.raster.width + x[i] + this.margin;
      frozen += state[i] === State.Frozen ? 1 : 0;
    }
    return { group, pixel: at, frozen };
  }
}

/** The stamp of each point, and its pixel. */
interface Sorted {
  group: Uint8Array;
  pixel: Uint32Array;
  /** How many points are frozen. */
  frozen: number;
}

function groupOf(state: State, bright: boolean): Group {
  if (state === State.Frozen) {
    return bright ? Group.Frozen : Group.FrozenDimmed;
  }
  if (!bright) {
    return Group.Dimmed;
  }
  switch (state) {
    case State.Saturated:
      return Group.Saturated;
    case State.Waiting:
      return Group.Waiting;
    case State.Unknown:
    case State.Unjudged:
      return Group.Unknown;
    default:
      return Group.Normal;
  }
}
