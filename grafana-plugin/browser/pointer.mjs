// SPDX-License-Identifier: Apache-2.0
// Points at pictures and reads what they say.

/** The part of a plot that takes the pointer. */
export const surfaceOf = (panel) => panel.locator('.u-over');

export const tooltipOf = (panel) => panel.getByRole('tooltip');

/** Where a plot is in the window, wherever it was scrolled to: the pointer reaches nothing outside of the window. */
async function boxOf(surface) {
  await surface.scrollIntoViewIfNeeded();
  return surface.boundingBox();
}

/** Moves the pointer to a place within a plot, in its own pixels. */
export async function pointAt(page, surface, x, y) {
  const box = await boxOf(surface);
  await page.mouse.move(box.x + x, box.y + y);
  await settled(page);
}

export async function drag(page, surface, from, to) {
  const box = await boxOf(surface);
  await page.mouse.move(box.x + from.x, box.y + from.y);
  await page.mouse.down();
  await page.mouse.move(box.x + (from.x + to.x) / 2, box.y + (from.y + to.y) / 2);
  await page.mouse.move(box.x + to.x, box.y + to.y);
  await page.mouse.up();
  await settled(page);
}

/**
 * Until everything that followed from a move has been drawn: frames first, then whatever they left to be done, however
 * long.
 */
const settled = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => done()))))
  );

/** A tooltip of the main sequence: the window's end in ms, and its rows by label; null where none is shown. */
export async function readWindow(panel) {
  const tooltip = tooltipOf(panel);
  if ((await tooltip.count()) === 0) {
    return null;
  }
  const [title, ...cells] = (await tooltip.locator('> div:first-child, dt, dd').allInnerTexts()).map((text) =>
    text.trim()
  );
  const rows = {};
  for (let i = 0; i + 1 < cells.length; i += 2) {
    rows[cells[i]] = cells[i + 1];
  }
  return { time: moment(title), rows };
}

/**
 * Points all over a main sequence until it speaks of a window, which is then read; null where there is none.
 *
 * @param suits whether it is a window that is looked for; any is by default
 */
export async function findWindow(page, panel, suits = () => true) {
  const surface = surfaceOf(panel);
  const { width, height } = await surface.boundingBox();
  for (let part = 0.02; part < 1; part += 0.02) {
    for (const level of [0.5, 0.25, 0.75, 0.1, 0.9, 0.98]) {
      await pointAt(page, surface, part * width, level * height);
      const window = await readWindow(panel);
      if (window && suits(window)) {
        return window;
      }
    }
  }
  return null;
}

/** A tooltip of the time lines: the time in ms, and a row per tier. */
export async function readMoment(panel) {
  const tooltip = tooltipOf(panel);
  await tooltip.waitFor();
  const title = await tooltip.locator('> div').first().innerText();
  const heads = await tooltip.locator('thead th').allInnerTexts();
  const rows = await Promise.all(
    (await tooltip.locator('tbody tr').all()).map(async (row) => {
      const cells = await row.locator('th, td').allInnerTexts();
      return Object.fromEntries(heads.map((head, i) => [head, cells[i].trim()]));
    })
  );
  return { time: moment(title), rows };
}

/** "2026-11-21 05:53:49.123" in UTC, the time zone of the tests' browser. */
function moment(text) {
  return Date.parse(`${text.trim().replace(' ', 'T')}Z`);
}

/** "1,721/s", "7.44", "83 ms" as a number. */
export const number = (text) => Number(text.replaceAll(',', '').match(/-?[\d.]+/)?.[0]);

/** "6.7 %" as a share from 0 to 1. */
export const share = (text) => number(text) / 100;

/** Whether a written number is what is left of a value after rounding to three digits. */
export function rounds(text, value) {
  const step = value >= 100 || value === 0 ? 1 : 10 ** (Math.floor(Math.log10(value)) - 2);
  return Math.abs(number(text) - value) <= step * (0.5 + 1e-6);
}
