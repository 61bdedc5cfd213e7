// SPDX-License-Identifier: Apache-2.0
import { State } from '../model/state';
import { aboveGroup, alongHorizontal, besideVertical, Box, placeLabels } from './placeLabels';
import { fade, stateColour } from './colour';
import { Frame, NOWHERE, placeOf, Points } from './points';
import { SceneTier } from './sequenceScene';
import { PlotTheme } from './statesStyle';

/** Text size, CSS pixels. */
const SIZE = 11;
/** Room around the text, CSS pixels. */
const PAD = 4;
/** Room for the marker before the text, CSS pixels. */
const MARKER = 13;

/** A label and where it would like to be. */
interface Label {
  text: string;
  colour: string;
  places: Box[];
  /** Colour of the tier whose frozen windows these are: the label shows their marker, and has a border. */
  frozen?: string;
}

/** Writes on the lines what they are, and above frozen windows whose they are. */
export function drawLabels(
  ctx: CanvasRenderingContext2D,
  tiers: readonly SceneTier[],
  points: Points,
  frame: Frame,
  theme: PlotTheme,
  ratio: number
) {
  ctx.font = `500 ${SIZE * ratio}px ${theme.fontFamily}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const area = { x: 0, y: 0, width: frame.width, height: frame.height };
  const height = (SIZE + 2 * PAD - 1) * ratio;
  const measure = (text: string) => ({ width: ctx.measureText(text).width + 2 * PAD * ratio, height });
  const labels = wishes(tiers, points, frame, theme, measure, MARKER * ratio, area);
  const placed = placeLabels(
    labels.map(({ places }) => places),
    area
  );
  placed.forEach((box, i) => box && drawLabel(ctx, labels[i], box, theme, ratio));
}

function drawLabel(
  ctx: CanvasRenderingContext2D,
  { text, colour, frozen }: Label,
  box: Box,
  theme: PlotTheme,
  ratio: number
) {
  const middle = box.y + box.height / 2;
  let left = box.x + PAD * ratio;
  ctx.fillStyle = fade(theme.background, frozen ? 0.95 : 0.8);
  ctx.fillRect(box.x, box.y, box.width, box.height);
  if (frozen) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = ratio;
    ctx.strokeRect(box.x, box.y, box.width, box.height);
    const radius = 4 * ratio;
    const x = left + radius;
    ctx.fillStyle = frozen;
    ctx.lineWidth = 2 * ratio;
    ctx.stroke(diamondPath(x, middle, radius));
    ctx.fill(diamondPath(x, middle, radius));
    left += MARKER * ratio;
  }
  ctx.fillStyle = colour;
  ctx.fillText(text, left, middle);
}

function diamondPath(x: number, y: number, radius: number): Path2D {
  const path = new Path2D();
  path.moveTo(x - radius, y);
  path.lineTo(x, y - radius);
  path.lineTo(x + radius, y);
  path.lineTo(x, y + radius);
  path.closePath();
  return path;
}

/** All labels, the most important first: who is frozen, then saturation points, then best throughputs. */
function wishes(
  tiers: readonly SceneTier[],
  points: Points,
  frame: Frame,
  theme: PlotTheme,
  measure: (text: string) => { width: number; height: number },
  marker: number,
  area: Box
): Label[] {
  const frozen = tiers.flatMap(({ frozenLabel, colour }, t) => {
    const group = frozenGroup(points, t);
    const { width, height } = measure(frozenLabel);
    const places = group && aboveGroup(group.middle, group.top, { width: width + marker, height }, area);
    return places ? [{ text: frozenLabel, colour: stateColour(State.Frozen, theme), places, frozen: colour }] : [];
  });
  const nStars = tiers.flatMap(({ tier, colour, nStarLabel }) => {
    const { x } = placeOf(frame, tier.nStar ?? 0, 0);
    return tier.nStar === null
      ? []
      : [{ text: nStarLabel, colour, places: besideVertical(x, measure(nStarLabel), area) }];
  });
  const tpMaxes = tiers.flatMap(({ tier, colour, tpMaxLabel }) => {
    const { y } = placeOf(frame, 0, tier.tpMax ?? 0);
    return tier.tpMax === null
      ? []
      : [{ text: tpMaxLabel, colour, places: alongHorizontal(y, measure(tpMaxLabel), area) }];
  });
  return [...frozen, ...nStars, ...tpMaxes];
}

/** Where a tier's frozen windows are: their mean place from left to right, and their upper end. */
export function frozenGroup(points: Points, tier: number): { middle: number; top: number } | null {
  let sum = 0;
  let count = 0;
  let top = Infinity;
  for (let i = points.start[tier]; i < points.start[tier + 1]; i++) {
    if (points.state[i] === State.Frozen && points.x[i] !== NOWHERE) {
      sum += points.x[i];
      count++;
      top = Math.min(top, points.y[i]);
    }
  }
  return count > 0 ? { middle: sum / count, top } : null;
}
