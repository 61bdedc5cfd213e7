// SPDX-License-Identifier: Apache-2.0
import { solidBins } from '../model/curve';
import { nStarOnAxis } from '../model/tier';
import { fade } from './colour';
import { Frame, placeOf } from './points';
import { SceneTier } from './sequenceScene';

/** Opacity of the interval of N*. */
const INTERVAL = 0.14;

/** Draws the recorded curves; a margin in the colour of the background sets them off from points of the same colour. */
export function drawCurves(
  ctx: CanvasRenderingContext2D,
  tiers: readonly SceneTier[],
  frame: Frame,
  background: string,
  ratio: number
) {
  ctx.lineJoin = 'round';
  ctx.lineCap = 'round';
  ctx.setLineDash([]);
  for (const { tier, colour } of tiers) {
    const path = new Path2D();
    solidBins(tier.curve).forEach(({ queue, throughput }) => {
      const { x, y } = placeOf(frame, queue, throughput);
      path.lineTo(x, y);
    });
    ctx.lineWidth = 5 * ratio;
    ctx.strokeStyle = background;
    ctx.stroke(path);
    ctx.lineWidth = 2 * ratio;
    ctx.strokeStyle = colour;
    ctx.stroke(path);
  }
}

/**
 * Draws N* as a vertical and TPmax as a horizontal dashed line, and the interval of N* as a pale strip. The dashes of
 * lines that coincide fill each other's gaps.
 */
export function drawLimits(
  ctx: CanvasRenderingContext2D,
  tiers: readonly SceneTier[],
  frame: Frame,
  background: string,
  ratio: number
) {
  const dash = 5 * ratio;
  ctx.lineCap = 'butt';
  tiers.forEach(({ tier, colour }, t) => {
    const path = new Path2D();
    const nStar = nStarOnAxis(tier);
    const { x, y } = placeOf(frame, nStar ?? 0, tier.tpMax ?? 0);
    if (nStar !== null && tier.nStarInterval) {
      const [low, high] = tier.nStarInterval.map((end) => Math.min(placeOf(frame, end, 0).x, frame.width));
      ctx.fillStyle = fade(colour, INTERVAL);
      ctx.fillRect(low, 0, high - low, frame.height);
    }
    if (nStar !== null) {
      path.moveTo(crisp(x), frame.height);
      path.lineTo(crisp(x), 0);
    }
    if (tier.tpMax !== null) {
      path.moveTo(0, crisp(y));
      path.lineTo(frame.width, crisp(y));
    }
    ctx.setLineDash([dash, dash]);
    ctx.lineDashOffset = (t % 2) * dash;
    ctx.lineWidth = 3 * ratio;
    ctx.strokeStyle = background;
    ctx.stroke(path);
    ctx.lineWidth = 1.5 * ratio;
    ctx.strokeStyle = colour;
    ctx.stroke(path);
  });
  ctx.setLineDash([]);
}

/** The middle of a pixel, where a thin line is sharp. */
function crisp(place: number): number {
  return Math.floor(place) + 0.5;
}
