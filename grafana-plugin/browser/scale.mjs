// SPDX-License-Identifier: Apache-2.0
// Finds out where a main sequence draws what, by pointing at it and reading what it says.
import { channels, drawnBox, pixelsOf } from './pixels.mjs';
import { number, pointAt, readWindow, surfaceOf } from './pointer.mjs';

/** The colour of a tier, as its legend shows it. */
export async function colourOf(panel, tier) {
  const dot = panel.getByRole('button', { name: tier, exact: true }).locator('span').first();
  return channels(await dot.evaluate((element) => getComputedStyle(element).backgroundColor))[0];
}

/**
 * Points at windows all over the plot and fits where queue lengths and throughputs are drawn (linear axes).
 *
 * @returns the windows seen, places in the plot by value, how far off each window was drawn, and the plot's area on the
 * canvas
 */
export async function readScale(page, panel, canvas, colour) {
  const surface = surfaceOf(panel);
  const [plot, around] = [await surface.boundingBox(), await canvas.boundingBox()];
  const area = { left: plot.x - around.x, top: plot.y - around.y, width: plot.width, height: plot.height };
  const seen = [];
  for (const { x, y } of await spread(canvas, colour, area)) {
    await pointAt(page, surface, x - area.left, y - area.top);
    const window = await readWindow(panel);
    const box = window && (await drawnBox(surface.locator('canvas')));
    // At the rim the mark is cut off, and its middle is elsewhere.
    const whole = box && box.left > 0 && box.top > 0 && box.right < area.width - 1 && box.bottom < area.height - 1;
    if (whole && !seen.some(({ time }) => time === window.time)) {
      const at = { x: (box.left + box.right + 1) / 2, y: (box.top + box.bottom + 1) / 2 };
      seen.push({ ...window, at });
    }
  }
  const x = fit(seen.map(({ rows, at }) => [number(rows['Own queue length']), at.x]));
  const y = fit(seen.map(({ rows, at }) => [number(rows.Throughput), at.y]));
  const residuals = seen.map(({ rows, at }) =>
    Math.max(Math.abs(x(number(rows['Own queue length'])) - at.x), Math.abs(y(number(rows.Throughput)) - at.y))
  );
  return { seen, place: { x, y }, residuals, area };
}

/** How many places are pointed at. */
const PLACES = 30;

/** Places with points, as far apart from each other as there are some. */
async function spread(canvas, colour, area) {
  const open = await pixelsOf(canvas, colour, area);
  const chosen = open.splice(0, 1);
  const distance = (one) => Math.min(...chosen.map((other) => Math.hypot(one.x - other.x, one.y - other.y)));
  while (chosen.length < PLACES && open.length > 0) {
    const farthest = open.reduce((most, one) => (distance(one) > distance(most) ? one : most));
    chosen.push(...open.splice(open.indexOf(farthest), 1));
  }
  return chosen;
}

/** Least squares. */
function fit(pairs) {
  const mean = (index) => pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const slope =
    pairs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) /
    pairs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return (value) => meanY + slope * (value - meanX);
}
