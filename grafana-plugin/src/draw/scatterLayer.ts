// SPDX-License-Identifier: Apache-2.0
import { Grid } from '../model/grid';
import { extent } from '../model/extent';
import { GRAVEST_FIRST } from '../model/state';
import { Frame, placePoints, Points, tierOfPoint } from './points';
import { Scatter } from './scatter';
import { Hit, SequenceScene } from './sequenceScene';

/** How far from the pointer a window may be to be meant by it, CSS pixels. */
const REACH = 20;

/** The points of a scene: where they are, their picture, and which one is near a place. */
export class ScatterLayer {
  private scene: SequenceScene | null = null;
  private frame: Frame | null = null;
  private ratio = 1;
  private scatter: Scatter | null = null;
  private grid: Grid | null = null;
  private readonly buffer = document.createElement('canvas');
  points: Points = placePoints([], { width: 0, height: 0, extent: extent([], false), log: false });

  /** Draws a scene; only the parts that have changed are drawn again. */
  draw(ctx: CanvasRenderingContext2D, left: number, top: number, scene: SequenceScene, frame: Frame, ratio: number) {
    const moved = !this.frame || !sameFrame(frame, this.frame) || ratio !== this.ratio || !sameTiers(scene, this.scene);
    if (moved) {
      this.points = placePoints(
        scene.tiers.map(({ tier }) => tier),
        frame
      );
      this.grid = null;
    }
    if (moved || scene.selected !== this.scene?.selected || scene.theme !== this.scene?.theme) {
      this.paint(scene, frame, ratio);
    }
    this.scene = scene;
    this.frame = frame;
    this.ratio = ratio;
    const margin = this.scatter?.margin ?? 0;
    // through a second canvas, because putImageData would erase the grid
    ctx.drawImage(this.buffer, left - margin, top - margin);
  }

  /** The window near a place in the plotting area, CSS pixels; frozen ones first. */
  hit(x: number, y: number): Hit | null {
    if (!this.frame) {
      return null;
    }
    const { points, ratio } = this;
    // sorted when the pointer asks for the first time, not when drawing
    this.grid ??= new Grid(points.x, points.y, this.frame.width, this.frame.height);
    const point = this.grid.nearest(
      x * ratio,
      y * ratio,
      REACH * ratio,
      (i) => -GRAVEST_FIRST.indexOf(points.state[i])
    );
    if (point < 0) {
      return null;
    }
    const tier = tierOfPoint(points, point);
    return { tier, index: point - points.start[tier] };
  }

  /** Where a window is drawn in the plotting area, CSS pixels. */
  placeOfHit({ tier, index }: Hit): { x: number; y: number } {
    const point = this.points.start[tier] + index;
    return { x: this.points.x[point] / this.ratio, y: this.points.y[point] / this.ratio };
  }

  /**
   * The windows that are drawn in a rectangle of the plotting area, CSS pixels; by tier and window, 1 for those within.
   */
  within(left: number, top: number, right: number, bottom: number): Uint8Array[] {
    const { x, y, start } = this.points;
    const { ratio } = this;
    return Array.from({ length: start.length - 1 }, (_, t) => {
      const flags = new Uint8Array(start[t + 1] - start[t]);
      for (let i = 0; i < flags.length; i++) {
        const across = x[start[t] + i] / ratio;
        const down = y[start[t] + i] / ratio;
        flags[i] = across >= left && across <= right && down >= top && down <= bottom ? 1 : 0;
      }
      return flags;
    });
  }

  private paint(scene: SequenceScene, frame: Frame, ratio: number) {
    const { width: oldWidth, height: oldHeight } = this.frame ?? {};
    if (!this.scatter || frame.width !== oldWidth || frame.height !== oldHeight || ratio !== this.ratio) {
      this.scatter = new Scatter(frame.width, frame.height, ratio);
      this.buffer.width = this.scatter.raster.width;
      this.buffer.height = this.scatter.raster.height;
    }
    const style = { theme: scene.theme, colours: scene.tiers.map(({ colour }) => colour) };
    this.scatter.draw(this.points, scene.selected && joined(scene.selected), style);
    const { pixels, width, height } = this.scatter.raster;
    const image = new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
    this.buffer.getContext('2d', { willReadFrequently: true })?.putImageData(image, 0, 0);
  }
}

/** The flags of all tiers in the order of the points. */
function joined(flags: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(flags.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of flags) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function sameFrame(one: Frame, other: Frame): boolean {
  return (
    one.width === other.width &&
    one.height === other.height &&
    one.log === other.log &&
    one.extent.queue === other.extent.queue &&
    one.extent.throughput === other.extent.throughput
  );
}

function sameTiers(one: SequenceScene, other: SequenceScene | null): boolean {
  return (
    other !== null &&
    one.tiers.length === other.tiers.length &&
    one.tiers.every(({ tier, colour }, t) => tier === other.tiers[t].tier && colour === other.tiers[t].colour)
  );
}
