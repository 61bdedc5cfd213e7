// SPDX-License-Identifier: Apache-2.0
import { tierOf } from '../fixtures/tiers';
import { laneColumns } from './laneColumns';
import { laneLabels, queueY, shorten } from './laneLabels';
import { Lane, layoutLanes } from './lanes';
import { PreparedLane } from './statesScene';

function prepared(lane: Lane, nStar: number | null): PreparedLane {
  const tier = tierOf([[5, 100]], { name: 'app', nStar });
  const columns = laneColumns(tier, 50, tier.time[0] - 50, tier.time[0], 1);
  return { tier, colour: '#ffffff', lane, columns, queueTop: 100 };
}

const [ROOMY] = layoutLanes(200, [{ queue: true, gc: true }]).lanes;
const [BARE] = layoutLanes(20, [{ queue: true, gc: true }]).lanes;

const written = (lane: Lane, nStar: number | null) =>
  laneLabels(prepared(lane, nStar), (queue) => String(queue)).map(({ text }) => text);

describe('laneLabels', () => {
  it('names the parts and both ends of the scale', () => {
    expect(written(ROOMY, 50)).toEqual(['app', '100', 'N* 50', 'GC']);
  });

  it('has no N* where none is known, or where it would cover the upper end', () => {
    expect(written(ROOMY, null)).toEqual(['app', '100', 'GC']);
    expect(written(ROOMY, 99)).toEqual(['app', '100', 'GC']);
  });

  it('keeps N* within the queue strip', () => {
    const [, , nStar] = laneLabels(prepared(ROOMY, 0.1), String);
    expect(nStar.text).toBe('N* 0.1');
    expect(nStar.y).toBeLessThan(ROOMY.queue!.top + ROOMY.queue!.height);
  });

  it('leaves the name alone where the rest has no room', () => {
    expect(written(BARE, 50)).toEqual(['app']);
  });
});

test('queueY runs from the bottom to the top and not beyond', () => {
  const strip = { top: 10, height: 40 };
  expect([0, 5, 10, 20].map((queue) => queueY(queue, strip, 10))).toEqual([50, 30, 10, 10]);
});

test('shorten cuts the end off', () => {
  const measure = (text: string) => text.length * 10;
  expect(shorten('tomcat', 60, measure)).toBe('tomcat');
  expect(shorten('tomcat', 45, measure)).toBe('tom…');
  expect(shorten('tomcat', 0, measure)).toBe('…');
});
