// SPDX-License-Identifier: Apache-2.0
// Finds out where a main sequence draws what, by pointing at it and reading what it says.
import { channels, drawnBox, profile } from './pixels.mjs';
import { number, pointAt, readWindow, surfaceOf } from './pointer.mjs';

/** The colour of a tier, as its legend shows it. */
export async function colourOf(panel, tier) {
  const dot = panel.getByRole('button', { name: tier, exact: true }).locator('span').first();
  return channels(await dot.evaluate((element) => getComputedStyle(element).backgroundColor))[0];
}

/**
 * Points at windows all over the plot and fits where queue lengths and throughputs are drawn (linear axes).
 *
 * @returns the windows seen, places in the plot by value, how far off each window was drawn, and the plot's area on the canvas
 */
export async function readScale(page, panel, canvas, colour) {
  const surface = surfaceOf(panel);
  const [plot, around] = [await surface.boundingBox(), await canvas.boundingBox()];
  const area = { left: plot.x - around.x, top: plot.y - around.y, width: plot.width, height: plot.height };
  const seen = [];
  for (const x of spread(await profile(canvas, colour), area)) {
    for (const part of [0.15, 0.35, 0.5, 0.65, 0.85]) {
      await pointAt(page, surface, x - area.left, part * area.height);
      const window = await readWindow(panel);
      const box = window && (await drawnBox(surface.locator('canvas')));
      // At the rim the mark is cut off, and its middle is elsewhere.
      const whole = box && box.left > 0 && box.top > 0 && box.right < area.width - 1 && box.bottom < area.height - 1;
      if (whole && !seen.some(({ time }) => time === window.time)) {
        const at = { x: (box.left + box.right + 1) / 2, y: (box.top + box.bottom + 1) / 2 };
        seen.push({ ...window, at });
      }
    }
  }
  const x = fit(seen.map(({ rows, at }) => [number(rows['Queue length']), at.x]));
  const y = fit(seen.map(({ rows, at }) => [number(rows.Throughput), at.y]));
  const residuals = seen.map(({ rows, at }) =>
    Math.max(Math.abs(x(number(rows['Queue length'])) - at.x), Math.abs(y(number(rows.Throughput)) - at.y))
  );
  return { seen, place: { x, y }, residuals, area };
}

/** Columns with many points, apart from each other. */
function spread({ columns }, area) {
  const parts = 12;
  const step = area.width / parts;
  return Array.from({ length: parts }, (_, part) => {
    const from = Math.ceil(area.left + part * step);
    const within = columns.slice(from, Math.floor(from + step));
    return from + within.indexOf(Math.max(...within));
  });
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
