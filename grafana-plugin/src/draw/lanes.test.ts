// SPDX-License-Identifier: Apache-2.0
import { Lane, layoutLanes, LaneWish } from './lanes';

const ALL: LaneWish = { queue: true, gc: true };

function bottom(strip: { top: number; height: number }) {
  return strip.top + strip.height;
}

function parts(lane: Lane) {
  return [lane.queue, lane.band, lane.gc].filter((strip) => strip !== null);
}

describe('layoutLanes', () => {
  it.each([
    [600, 1],
    [300, 3],
    [120, 3],
    [90, 4],
    [200, 30],
  ])('keeps %i px and %i lanes apart and in order', (height, count) => {
    const { lanes, height: total } = layoutLanes(height, Array(count).fill(ALL));
    expect(lanes).toHaveLength(count);
    lanes.forEach((lane, index) => {
      const strips = parts(lane);
      expect(strips[0].top).toBe(lane.top);
      expect(bottom(strips[strips.length - 1])).toBe(bottom(lane));
      for (let i = 1; i < strips.length; i++) {
        expect(strips[i].top).toBeGreaterThan(bottom(strips[i - 1]));
      }
      expect(lane.height).toBe(lanes[0].height);
      if (index > 0) {
        expect(lane.top).toBeGreaterThan(bottom(lanes[index - 1]));
      }
    });
    expect(bottom(lanes[count - 1])).toBe(total);
  });

  it('fills the height when there is room', () => {
    const { height } = layoutLanes(300, [ALL, ALL, ALL]);
    expect(height).toBeLessThanOrEqual(300);
    expect(height).toBeGreaterThan(297);
  });

  it('still shows states and garbage collection of three tiers in 110 px, without the queue length', () => {
    const { lanes, height } = layoutLanes(110, [ALL, ALL, ALL]);
    expect(height).toBeLessThanOrEqual(110);
    for (const lane of lanes) {
      expect(lane.queue).toBeNull();
      expect(lane.band.height).toBeGreaterThanOrEqual(12);
      expect(lane.gc!.height).toBeGreaterThanOrEqual(8);
    }
  });

  it('keeps the states of three tiers in 66 px', () => {
    const { lanes, height } = layoutLanes(66, [ALL, ALL, ALL]);
    expect(height).toBeLessThanOrEqual(66);
    expect(lanes.map((lane) => lane.queue ?? lane.gc)).toEqual([null, null, null]);
    expect(lanes[0].band.height).toBeGreaterThanOrEqual(18);
  });

  it('lets lanes overflow rather than vanish', () => {
    const { lanes, height } = layoutLanes(100, Array(20).fill(ALL));
    expect(height).toBeGreaterThan(100);
    expect(lanes[19].band.height).toBeGreaterThanOrEqual(12);
  });

  it('gives the place of what is not wanted to the rest', () => {
    const [none, gc, queue] = layoutLanes(300, [
      { queue: false, gc: false },
      { queue: false, gc: true },
      { queue: true, gc: false },
    ]).lanes;
    expect(none.band.height).toBe(none.height);
    expect(none.queue ?? none.gc).toBeNull();
    expect(gc.gc).not.toBeNull();
    expect(gc.band.height + gc.gc!.height).toBeLessThan(gc.height);
    expect(queue.queue!.height).toBeGreaterThan(queue.band.height);
  });

  it('has no lanes for no tiers', () => {
    expect(layoutLanes(300, [])).toEqual({ lanes: [], height: 0 });
  });
});
