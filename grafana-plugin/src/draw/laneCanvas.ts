// SPDX-License-Identifier: Apache-2.0
import { laneLabels, queueY, shorten } from './laneLabels';
import { nStarOnAxis } from '../model/tier';
import { paintLane } from './lanePainter';
import { Raster } from './raster';
import { laneColours } from './statesStyle';
import { PreparedLane, StatesScene } from './statesScene';

/** The plotting area in the canvas' pixels, and how many of them make a CSS pixel. */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
  ratio: number;
}

/** Windows of this many columns have one of their own, whatever their edges. */
const CRISP_FROM = 2;
/** Windows from this width on (CSS pixels) are set apart by a line. */
const SEPARATE_FROM = 10;
const LABEL_GAP = 8;

/** Draws lanes on a canvas: pixels in one piece, then lines and writing. */
export class LaneCanvas {
  private raster = new Raster(1, 1);
  private readonly buffer = document.createElement('canvas');

  draw(context: CanvasRenderingContext2D, area: Area, scene: StatesScene, lanes: readonly PreparedLane[]) {
    this.pixels(context, area, scene, lanes);
    context.save();
    context.beginPath();
    context.rect(0, area.top, area.left + area.width, area.height);
    context.clip();
    context.translate(area.left, area.top);
    context.scale(area.ratio, area.ratio);
    context.translate(0, -scene.scroll);
    for (const lane of lanes) {
      separators(context, area.width / area.ratio, scene, lane);
      saturationLine(context, area.width / area.ratio, scene, lane);
      labels(context, scene, lane);
    }
    context.restore();
  }

  private pixels(context: CanvasRenderingContext2D, area: Area, scene: StatesScene, lanes: readonly PreparedLane[]) {
    const { width, height } = area;
    if (this.raster.width !== width || this.raster.height !== height) {
      this.raster = new Raster(width, height);
      this.buffer.width = width;
      this.buffer.height = height;
    }
    this.raster.clear();
    const crisp = scene.step >= (CRISP_FROM * (scene.to - scene.from)) / width;
    for (const { lane, columns, queueTop, colour } of lanes) {
      paintLane(
        this.raster,
        lane,
        -scene.scroll,
        area.ratio,
        columns,
        queueTop,
        crisp,
        laneColours(colour, scene.theme)
      );
    }
    const bytes = new Uint8ClampedArray(this.raster.pixels.buffer);
    this.buffer.getContext('2d')?.putImageData(new ImageData(bytes, width, height), 0, 0);
    // through a second canvas, because putImageData would erase the grid
    context.drawImage(this.buffer, area.left, area.top);
  }
}

/** Separates the windows if they are wide enough: the picture shows its resolution. */
function separators(
  context: CanvasRenderingContext2D,
  width: number,
  scene: StatesScene,
  { tier, lane }: PreparedLane
) {
  const scale = width / (scene.to - scene.from);
  if (tier.width * scale < SEPARATE_FROM) {
    return;
  }
  context.fillStyle = scene.theme.background;
  for (const end of tier.time) {
    if (end > scene.from && end < scene.to) {
      const x = Math.round((end - scene.from) * scale);
      context.fillRect(x - 1, lane.band.top, 1, lane.band.height);
    }
  }
}

/** N* across the queue length. */
function saturationLine(
  context: CanvasRenderingContext2D,
  width: number,
  scene: StatesScene,
  { tier, lane, queueTop }: PreparedLane
) {
  const nStar = nStarOnAxis(tier);
  if (!lane.queue || nStar === null) {
    return;
  }
  const y = Math.round(queueY(nStar, lane.queue, queueTop)) + 0.5;
  context.strokeStyle = scene.theme.text;
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(0, y);
  context.lineTo(width, y);
  context.stroke();
  context.setLineDash([]);
}

function labels(context: CanvasRenderingContext2D, scene: StatesScene, prepared: PreparedLane) {
  const { theme, gutter } = scene;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const { text, y, kind } of laneLabels(prepared, scene.queueFormat)) {
    context.font = laneFont(kind, theme.fontFamily);
    context.fillStyle = kind === 'name' ? theme.text : theme.faintText;
    context.fillText(
      shorten(text, gutter - LABEL_GAP, (part) => context.measureText(part).width),
      -LABEL_GAP,
      y
    );
  }
}

export function laneFont(kind: 'name' | 'small', family: string): string {
  return kind === 'name' ? `500 12px ${family}` : `10px ${family}`;
}
