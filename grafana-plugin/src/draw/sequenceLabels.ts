// SPDX-License-Identifier: Apache-2.0
import { State } from '../model/state';
import { aboveGroup, alongHorizontal, besideVertical, Box, placeLabels } from './placeLabels';
import { fade, stateColour } from './colour';
import { Frame, NOWHERE, placeOf, Points } from './points';
import { SceneTier } from './sequenceScene';
import { PlotTheme } from './statesStyle';
import { nStarOnAxis } from '../model/tier';

/** Text size, CSS pixels. */
const SIZE = 11;
/** Room around the text, CSS pixels. */
const PAD = 4;
/** Room for the marker before the text, CSS pixels. */
const MARKER = 13;

/** In smaller plots, CSS pixels, labels would hide what they name: first those of lines are left out, then all. */
const LINE_LABELS_FROM = { width: 260, height: 130 };
const LABELS_FROM = { width: 160, height: 90 };

/** A label and its preferred places. */
interface Label {
  text: string;
  colour: string;
  places: Box[];
  /** Colour of the tier whose frozen windows these are: the label shows their marker, and has a border. */
  frozen?: string;
}

/** Labels the lines with their meaning, and frozen windows with their tier. */
export function drawLabels(
  ctx: CanvasRenderingContext2D,
  tiers: readonly SceneTier[],
  points: Points,
  frame: Frame,
  theme: PlotTheme,
  ratio: number
) {
  if (!fits(frame, LABELS_FROM, ratio)) {
    return;
  }
  ctx.font = `500 ${SIZE * ratio}px ${theme.fontFamily}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const area = { x: 0, y: 0, width: frame.width, height: frame.height };
  const height = (SIZE + 2 * PAD - 1) * ratio;
  const measure = (text: string) => ({ width: ctx.measureText(text).width + 2 * PAD * ratio, height });
  const labels = [
    ...frozenLabels(tiers, points, stateColour(State.Frozen, theme), measure, MARKER * ratio, area),
    ...(fits(frame, LINE_LABELS_FROM, ratio) ? lineLabels(tiers, frame, measure, area) : []),
  ];
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
  ctx.fillStyle = fade(theme.background, frozen ? 0.85 : 0.55);
  ctx.fillRect(box.x, box.y, box.width, box.height);
  if (frozen) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = ratio;
    ctx.strokeRect(box.x, box.y, box.width, box.height);
    const radius = 4 * ratio;
    const marker = diamondPath(left + radius, middle, radius);
    ctx.fillStyle = frozen;
    ctx.lineWidth = 2 * ratio;
    ctx.stroke(marker);
    ctx.fill(marker);
    left += MARKER * ratio;
  }
  // a rim in the colour of the background keeps the letters legible on points that shine through
  ctx.lineJoin = 'round';
  ctx.lineWidth = 4 * ratio;
  ctx.strokeStyle = theme.background;
  ctx.strokeText(text, left, middle);
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

function fits({ width, height }: Frame, least: { width: number; height: number }, ratio: number): boolean {
  return width >= least.width * ratio && height >= least.height * ratio;
}

type Measure = (text: string) => { width: number; height: number };

/** The frozen tiers: their labels choose places first, above all tiers' frozen windows, so that they hide none. */
function frozenLabels(
  tiers: readonly SceneTier[],
  points: Points,
  colour: string,
  measure: Measure,
  marker: number,
  area: Box
): Label[] {
  const groups = tiers.map((_, t) => frozenGroup(points, t));
  const top = Math.min(...groups.map((group) => group?.top ?? Infinity));
  return tiers.flatMap(({ frozenLabel, colour: frozen }, t) => {
    const group = groups[t];
    if (!group) {
      return [];
    }
    const { width, height } = measure(frozenLabel);
    const places = aboveGroup(group.middle, top, { width: width + marker, height }, area);
    return [{ text: frozenLabel, colour, places, frozen }];
  });
}

/** The labels of the lines, saturation points before best throughputs. */
function lineLabels(tiers: readonly SceneTier[], frame: Frame, measure: Measure, area: Box): Label[] {
  const nStars = tiers.flatMap(({ tier, colour, nStarLabel: text }) => {
    const nStar = nStarOnAxis(tier);
    if (nStar !== null) {
      return [{ text, colour, places: besideVertical(placeOf(frame, nStar, 0).x, measure(text), area) }];
    }
    // no line: the reason is in the upper left corner, where readers would look for a line
    return text === '' ? [] : [{ text, colour, places: besideVertical(area.x, measure(text), area) }];
  });
  const tpMaxes = tiers.flatMap(({ tier, colour, tpMaxLabel: text }) => {
    const { y } = placeOf(frame, 0, tier.tpMax ?? 0);
    return tier.tpMax === null ? [] : [{ text, colour, places: alongHorizontal(y, measure(text), area) }];
  });
  return [...nStars, ...tpMaxes];
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
