// SPDX-License-Identifier: Apache-2.0
import { State } from '../model/state';
import { channels, stateColour } from './colour';
import { Density, Ramp, ramp } from './density';
import { NOWHERE, Points } from './points';
import { pixel, Raster } from './raster';
import { PlotTheme } from './statesStyle';
import { diamond, disc, put, Stamp } from './stamp';

/** Up to this many windows each is a circle of its own; more are drawn as density. */
export const CIRCLES_UP_TO = 2000;
/** From this many on the dots and markers are smaller. */
const CROWD = 20_000;
/** From this many frozen windows on their markers are smaller. */
const MANY_FROZEN = 400;

/** Room around the plotting area for the markers of windows on its edge, pixels of the device. */
export const MARGIN = 16;

/** The groups of windows that are drawn alike, from behind to in front; frozen ones come last, with a shape of their own. */
enum Group {
  Dimmed,
  Normal,
  Saturated,
  Frozen,
}

const OPACITY = { [Group.Dimmed]: 0.13, [Group.Normal]: 0.45, [Group.Saturated]: 0.9 };
const RAMPS: Record<Group.Dimmed | Group.Normal | Group.Saturated, Ramp> = {
  [Group.Dimmed]: ramp(0.08, 0.2, 64),
  [Group.Normal]: ramp(0.34, 0.8, 64),
  [Group.Saturated]: ramp(0.62, 1, 24),
};
const FROZEN_DIMMED = 0.16;

/** How the points are to look. */
export interface ScatterStyle {
  theme: PlotTheme;
  /** Colour of each drawn tier, #rrggbb. */
  colours: string[];
  /** Pixels of the device per CSS pixel. */
  ratio: number;
}

/** Draws points into pixels. It keeps its memory from one drawing to the next. */
export class Scatter {
  readonly raster: Raster;
  private readonly density: Density;

  /** @param width of the plotting area, pixels of the device */
  constructor(width: number, height: number) {
    // whatever the width, neighbouring rows are odd pixels apart, so that groups that take turns make no stripes
    this.raster = new Raster((width + 1 + 2 * MARGIN) | 1, height + 1 + 2 * MARGIN);
    this.density = new Density(this.raster.pixels.length);
  }

  /**
   * @param selected 1 for the points that stay bright while the others are dimmed; null: none is dimmed
   */
  draw(points: Points, selected: Uint8Array | null, style: ScatterStyle) {
    this.raster.clear();
    const circles = points.count <= CIRCLES_UP_TO;
    for (const group of [Group.Dimmed, Group.Normal, Group.Saturated] as const) {
      if (group === Group.Dimmed && !selected) {
        continue;
      }
      style.colours.forEach((colour, t) => {
        const rgb = channels(colour);
        if (circles) {
          // behind others a little larger, so that windows at the same place show a rim of each colour
          const behind = Math.min(style.colours.length - 1 - t, 3);
          const stamp = disc((3 + 0.9 * behind) * style.ratio, rgb, OPACITY[group], this.raster.width);
          this.each(points, t, selected, group, (at) => put(stamp, this.raster.pixels, at));
        } else {
          const dot = disc(dotRadius(points.count, style.ratio), rgb, 1, this.raster.width).offset;
          this.each(points, t, selected, group, (at) => this.density.add(at, dot));
          const turns = style.colours.length;
          this.density.colour(this.raster.pixels, pixel(...rgb, 0), RAMPS[group], t, turns);
        }
      });
    }
    this.drawFrozen(points, selected, style);
  }

  /** Frozen windows come on top of everything, those of the selection last. */
  private drawFrozen(points: Points, selected: Uint8Array | null, style: ScatterStyle) {
    let frozen = 0;
    for (let i = 0; i < points.count; i++) {
      frozen += points.state[i] === State.Frozen ? 1 : 0;
    }
    for (const bright of selected ? [0, 1] : [1]) {
      style.colours.forEach((colour, t) => {
        const stamp = this.frozenStamp(colour, style, frozen, bright === 1);
        for (let i = points.start[t]; i < points.start[t + 1]; i++) {
          if (points.state[i] === State.Frozen && (!selected || selected[i] === bright) && points.x[i] !== NOWHERE) {
            put(stamp, this.raster.pixels, this.pixelOf(points, i));
          }
        }
      });
    }
  }

  private frozenStamp(colour: string, { theme, ratio }: ScatterStyle, frozen: number, bright: boolean): Stamp {
    const radius = frozen > MANY_FROZEN ? 4 : 5.5;
    const colours = {
      core: channels(colour),
      ring: channels(stateColour(State.Frozen, theme)),
      halo: channels(theme.background),
    };
    return diamond(radius * ratio, colours, bright ? 1 : FROZEN_DIMMED, this.raster.width);
  }

  private each(points: Points, tier: number, selected: Uint8Array | null, group: Group, visit: (at: number) => void) {
    for (let i = points.start[tier]; i < points.start[tier + 1]; i++) {
      if (groupOf(points.state[i], selected ? selected[i] === 1 : true) === group && points.x[i] !== NOWHERE) {
        visit(this.pixelOf(points, i));
      }
    }
  }

  private pixelOf(points: Points, point: number): number {
    return (points.y[point] + MARGIN) * this.raster.width + points.x[point] + MARGIN;
  }
}

function groupOf(state: State, bright: boolean): Group {
  if (state === State.Frozen) {
    return Group.Frozen;
  }
  if (!bright) {
    return Group.Dimmed;
  }
  return state === State.Saturated ? Group.Saturated : Group.Normal;
}

function dotRadius(count: number, ratio: number): number {
  return count > CROWD ? 1.2 * ratio : 2 * ratio;
}
