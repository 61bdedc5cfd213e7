// SPDX-License-Identifier: Apache-2.0
// Reads the bands of the time lines off their pixels.
import { panelOf, STATES } from './harness.mjs';
import { channels, colours } from './pixels.mjs';

export const NAMES = ['frozen', 'saturated', 'waiting', 'unknown', 'normal', 'idle'];

/** What the key below the time lines shows for a state: one colour, for frozen that of its stripes too. */
async function swatch(page, name) {
  const head = panelOf(page, STATES).locator('thead th', { hasText: name }).locator('[aria-hidden]');
  const style = await head.evaluate((element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundImage === 'none' ? backgroundColor : backgroundImage;
  });
  return channels(style);
}

/** The main colour of a state. */
export async function stateColour(page, name) {
  return (await swatch(page, name)).at(-1);
}

/**
 * The states that the bands show at some columns of the canvas, band by band from above.
 *
 * @returns {Promise<string[][]>} for each band the state in each column
 */
export async function readBands(page, canvas, columns) {
  const keys = new Map();
  for (const name of NAMES) {
    for (const colour of await swatch(page, name)) {
      keys.set(String(colour), name);
    }
  }
  const rows = (await colours(canvas, columns)).map((row) => row.map((colour) => keys.get(String(colour))));
  const bands = [];
  let above = false;
  for (const row of rows) {
    // A row of a band has a state in every column; other rows have axes, queues or nothing in some.
    const within = row.every((name) => name !== undefined);
    if (within && !above) {
      bands.push([]);
    }
    if (within) {
      bands.at(-1).push(row);
    }
    above = within;
  }
  return bands.map((band) => band[Math.floor(band.length / 2)]);
}
