// SPDX-License-Identifier: Apache-2.0

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Least distance of two labels, pixels. */
const GAP = 3;
/** How many rows of labels are tried. */
const TRIES = 8;

/**
 * Gives each label the first of its places that is free.
 *
 * @param wishes for each label the places where it may go, best first; the first label chooses first
 * @param area no label leaves it
 * @returns the place of each label; null where all are taken: better no label than an illegible one
 */
export function placeLabels(wishes: Box[][], area: Box): Array<Box | null> {
  const taken: Box[] = [];
  return wishes.map((places) => {
    const free = places.find((place) => inside(place, area) && !taken.some((other) => touch(place, other)));
    if (free) {
      taken.push(free);
    }
    return free ?? null;
  });
}

function inside(box: Box, area: Box): boolean {
  return (
    box.x >= area.x &&
    box.y >= area.y &&
    box.x + box.width <= area.x + area.width &&
    box.y + box.height <= area.y + area.height
  );
}

export function touch(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width + GAP &&
    other.x < one.x + one.width + GAP &&
    one.y < other.y + other.height + GAP &&
    other.y < one.y + one.height + GAP
  );
}

interface Size {
  width: number;
  height: number;
}

/** Beside a vertical line, from the top downwards: first on its right, then on its left. */
export function besideVertical(x: number, size: Size, area: Box): Box[] {
  const places: Box[] = [];
  for (let row = 0; row < TRIES; row++) {
    const y = area.y + GAP + row * (size.height + GAP);
    places.push({ ...size, x: x + GAP + 1, y }, { ...size, x: x - GAP - 1 - size.width, y });
  }
  return places;
}

/** Along a horizontal line, from its right end to the left: above it, then below it, then a row away from it. */
export function alongHorizontal(y: number, size: Size, area: Box): Box[] {
  const row = size.height + GAP;
  const places: Box[][] = [[], []];
  const step = size.width / 2 + GAP;
  for (let x = area.x + area.width - GAP - size.width; x >= area.x; x -= step) {
    places.forEach((of, away) =>
      of.push({ ...size, x, y: y - (away + 1) * row }, { ...size, x, y: y + GAP + away * row })
    );
  }
  return places.flat();
}

/** Above a group of points, as near as possible, and within the area from left to right. */
export function aboveGroup(middle: number, top: number, size: Size, area: Box): Box[] {
  const x = Math.max(area.x + GAP, Math.min(middle - size.width / 2, area.x + area.width - size.width - GAP));
  return Array.from({ length: TRIES }, (_, row) => ({
    ...size,
    x,
    y: top - size.height / 2 - (row + 1) * (size.height + GAP),
  }));
}
