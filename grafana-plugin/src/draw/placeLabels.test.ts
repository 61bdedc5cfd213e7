// SPDX-License-Identifier: Apache-2.0
import { random } from '../fixtures/random';
import { aboveGroup, alongHorizontal, besideVertical, placeLabels, touch } from './placeLabels';

const AREA = { x: 0, y: 0, width: 600, height: 300 };
const SIZE = { width: 90, height: 16 };

describe('placeLabels', () => {
  it('gives each label its best place where there is room', () => {
    const wishes = [besideVertical(50, SIZE, AREA), besideVertical(300, SIZE, AREA)];
    expect(placeLabels(wishes, AREA)).toEqual([wishes[0][0], wishes[1][0]]);
  });

  it('sets labels of lines that nearly coincide on either side of them', () => {
    const [first, second] = placeLabels([besideVertical(300, SIZE, AREA), besideVertical(301, SIZE, AREA)], AREA);
    expect(first!.x).toBeGreaterThan(301);
    expect(second!.x + SIZE.width).toBeLessThan(300);
    expect(second!.y).toBe(first!.y);
  });

  it('goes down a row where there is no room to the left', () => {
    const [first, second] = placeLabels([besideVertical(20, SIZE, AREA), besideVertical(21, SIZE, AREA)], AREA);
    expect(second!.y).toBeGreaterThan(first!.y + SIZE.height);
  });

  it('sets labels of level lines above and below', () => {
    const [first, second] = placeLabels([alongHorizontal(150, SIZE, AREA), alongHorizontal(151, SIZE, AREA)], AREA);
    expect(first!.y + SIZE.height).toBeLessThanOrEqual(150);
    expect(second!.y).toBeGreaterThanOrEqual(151);
  });

  it('keeps labels above their points, and within the plot from left to right', () => {
    for (const middle of [0, 300, 600]) {
      const [place] = placeLabels([aboveGroup(middle, 280, SIZE, AREA)], AREA);
      expect(place!.y + SIZE.height).toBeLessThan(280);
      expect(place!.x).toBeGreaterThanOrEqual(0);
      expect(place!.x + SIZE.width).toBeLessThanOrEqual(600);
    }
  });

  it('leaves a label out where every place is taken', () => {
    const tiny = { x: 0, y: 0, width: 100, height: 24 };
    const places = besideVertical(2, SIZE, tiny);
    expect(placeLabels([places, places], tiny)).toEqual([places[0], null]);
  });

  it('places all labels of three tiers apart from each other in a plot of usual size, wherever the lines are', () => {
    const { next } = random(3);
    for (let round = 0; round < 300; round++) {
      const vertical = Array.from({ length: 3 }, () => besideVertical(next() * AREA.width, SIZE, AREA));
      const horizontal = Array.from({ length: 3 }, () => alongHorizontal(next() * AREA.height, SIZE, AREA));
      const frozen = Array.from({ length: 3 }, () => aboveGroup(next() * AREA.width, 285, SIZE, AREA));
      const placed = placeLabels([...frozen, ...vertical, ...horizontal], AREA);
      expect(placed).not.toContain(null);
      placed.forEach((one, i) => placed.slice(i + 1).forEach((other) => expect(touch(one!, other!)).toBe(false)));
    }
  });
});
