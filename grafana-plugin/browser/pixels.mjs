// SPDX-License-Identifier: Apache-2.0
// Looks at what was drawn, pixel by pixel, in the page.

/**
 * For each row or column of a canvas, how many of its pixels are near a colour.
 *
 * @param {import('playwright-core').Locator} canvas
 * @param {number[]} colour red, green, blue
 */
export function profile(canvas, colour, near = 60) {
  return canvas.evaluate(
    (element, [[red, green, blue], limit]) => {
      const { width, height } = element;
      const { data } = element.getContext('2d').getImageData(0, 0, width, height);
      const columns = new Array(width).fill(0);
      const rows = new Array(height).fill(0);
      for (let i = 0; i < data.length; i += 4) {
        const distance = Math.abs(data[i] - red) + Math.abs(data[i + 1] - green) + Math.abs(data[i + 2] - blue);
        if (data[i + 3] > 128 && distance < limit) {
          columns[(i / 4) % width]++;
          rows[Math.floor(i / 4 / width)]++;
        }
      }
      return { columns, rows, total: columns.reduce((sum, count) => sum + count, 0) };
    },
    [colour, near]
  );
}

/**
 * How much of each column and row within an area has a colour, 0 to 1, judged where little else is drawn: in the third
 * of the rows (for columns; and the other way round) that have least of it. There a line stands out from the points.
 */
export async function lines(canvas, colour, area, near = 60) {
  const { left, top, width, height } = Object.fromEntries(
    Object.entries(area).map(([side, at]) => [side, Math.round(at)])
  );
  return canvas.evaluate(
    (element, [[red, green, blue], limit, x0, y0, w, h]) => {
      const { data } = element.getContext('2d').getImageData(x0, y0, w, h);
      const has = (x, y) => {
        const i = 4 * (y * w + x);
        return Math.abs(data[i] - red) + Math.abs(data[i + 1] - green) + Math.abs(data[i + 2] - blue) < limit ? 1 : 0;
      };
      const indices = (count) => Array.from({ length: count }, (_, i) => i);
      const sum = (list, of) => list.reduce((total, i) => total + of(i), 0);
      const sparse = (list, of) => [...list].sort((a, b) => of(a) - of(b)).slice(0, list.length / 3);
      const inColumn = indices(w).map((x) => sum(indices(h), (y) => has(x, y)));
      const inRow = indices(h).map((y) => sum(indices(w), (x) => has(x, y)));
      const quietRows = sparse(indices(h), (y) => inRow[y]);
      const quietColumns = sparse(indices(w), (x) => inColumn[x]);
      const columns = indices(w).map((x) => sum(quietRows, (y) => has(x, y)) / quietRows.length);
      const rows = indices(h).map((y) => sum(quietColumns, (x) => has(x, y)) / quietColumns.length);
      // By place on the canvas, as the callers count.
      return { columns: [...new Array(x0).fill(0), ...columns], rows: [...new Array(y0).fill(0), ...rows] };
    },
    [colour, near, left, top, width, height]
  );
}

/** Colours of a canvas at given columns, row by row: [row][column] = [red, green, blue]. */
export function colours(canvas, columns) {
  return canvas.evaluate((element, xs) => {
    const { width, height } = element;
    const { data } = element.getContext('2d').getImageData(0, 0, width, height);
    return Array.from({ length: height }, (_, y) =>
      xs.map((x) => [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)])
    );
  }, columns);
}

/** The box around everything that is drawn on a transparent canvas; null where nothing is. */
export function drawnBox(canvas) {
  return canvas.evaluate((element) => {
    const { width, height } = element;
    if (width === 0 || height === 0) {
      return null;
    }
    const { data } = element.getContext('2d').getImageData(0, 0, width, height);
    const box = { left: Infinity, right: -1, top: Infinity, bottom: -1 };
    for (let i = 3; i < data.length; i += 4) {
      if (data[i] > 0) {
        const x = ((i - 3) / 4) % width;
        const y = Math.floor((i - 3) / 4 / width);
        box.left = Math.min(box.left, x);
        box.right = Math.max(box.right, x);
        box.top = Math.min(box.top, y);
        box.bottom = Math.max(box.bottom, y);
      }
    }
    return box.right < 0 ? null : box;
  });
}

/** Red, green and blue of a CSS colour, in the order in which it names them. */
export function channels(css) {
  return [...css.matchAll(/rgba?\((\d+), (\d+), (\d+)/g)].map((match) => match.slice(1, 4).map(Number));
}
