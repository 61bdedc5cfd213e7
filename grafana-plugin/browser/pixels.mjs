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
 * Side of a cell, pixels, and the opacity from which a pixel counts: windows that wait are drawn at less than half of
 * it.
 */
const CELL = 12;
const PALE = 0.3;

/** A pixel near a colour in each cell of an area on a canvas that has one. */
export function pixelsOf(canvas, colour, { left, top, width, height }, near = 60) {
  return canvas.evaluate(
    (element, [[red, green, blue], limit, x0, y0, w, h, cell, least]) => {
      const { data } = element.getContext('2d').getImageData(x0, y0, w, h);
      const found = new Map();
      for (let i = 0; i < data.length; i += 4) {
        const distance = Math.abs(data[i] - red) + Math.abs(data[i + 1] - green) + Math.abs(data[i + 2] - blue);
        if (data[i + 3] > 255 * least && distance < limit) {
          const [x, y] = [(i / 4) % w, Math.floor(i / 4 / w)];
          found.set(`${Math.floor(x / cell)} ${Math.floor(y / cell)}`, { x: x0 + x, y: y0 + y });
        }
      }
      return [...found.values()];
    },
    [colour, near, ...[left, top, width, height].map(Math.round), CELL, PALE]
  );
}

/** Distances from a line, in pixels, at which nothing may be drawn where it is looked for. */
const BESIDE = [-7, -6, -5, -4, 4, 5, 6, 7];

/**
 * How much of each column and row within an area has a colour, 0 to 1, judged only where nothing of it is beside: there
 * a line stands out from points and curves. 0 where less than a tenth of its length can be judged.
 */
export async function lines(canvas, colour, area, near = 60) {
  const { left, top, width, height } = Object.fromEntries(
    Object.entries(area).map(([side, at]) => [side, Math.round(at)])
  );
  return canvas.evaluate(
    (element, [[red, green, blue], limit, x0, y0, w, h, beside]) => {
      const { data } = element.getContext('2d').getImageData(x0, y0, w, h);
      const has = (x, y) => {
        const i = 4 * (y * w + x);
        // the interval of N* is a pale strip in the same colour
        const distance = Math.abs(data[i] - red) + Math.abs(data[i + 1] - green) + Math.abs(data[i + 2] - blue);
        return data[i + 3] > 128 && distance < limit;
      };
      const indices = (count) => Array.from({ length: count }, (_, i) => i);
      const part = (length, most, at, drawn) => {
        const around = beside.map((by) => at + by).filter((other) => other >= 0 && other < most);
        const clear = indices(length).filter((along) => !around.some((other) => drawn(along, other)));
        return clear.length < length / 10 ? 0 : clear.filter((along) => drawn(along, at)).length / clear.length;
      };
      const columns = indices(w).map((x) => part(h, w, x, (y, other) => has(other, y)));
      const rows = indices(h).map((y) => part(w, h, y, (x, other) => has(x, other)));
      // By place on the canvas, as the callers count.
      return { columns: [...new Array(x0).fill(0), ...columns], rows: [...new Array(y0).fill(0), ...rows] };
    },
    [colour, near, left, top, width, height, BESIDE]
  );
}

/** Which of some places on a canvas have a colour, at most a pixel away. */
export function coloured(canvas, places, colour, near = 60) {
  return canvas.evaluate(
    (element, [points, [red, green, blue], limit]) =>
      points.map(({ x, y }) => {
        const { data } = element.getContext('2d').getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3);
        const pixels = Array.from({ length: 9 }, (_, i) => data.slice(4 * i, 4 * i + 3));
        return pixels.some(([r, g, b]) => Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue) < limit);
      }),
    [places, colour, near]
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
