// SPDX-License-Identifier: Apache-2.0
import { sceneOf } from '../fixtures/scene';
import { rangeOf, turns } from '../fixtures/tiers';
import { LaneCanvas } from './laneCanvas';
import { LanePreparer, StatesScene } from './statesScene';

const AREA = { left: 60, top: 4, width: 500, height: 300, ratio: 1 };

/** A context that records the drawing; jsdom has none of its own. */
function recorder() {
  const calls: Array<[string, ...unknown[]]> = [];
  const context = new Proxy({} as Record<string, unknown>, {
    get: (target, name: string) =>
      target[name] ??
      ((...args: unknown[]) => {
        calls.push([name, ...args]);
        return { width: String(args[0]).length * 6 };
      }),
  });
  const of = (name: string) => calls.filter(([called]) => called === name).map(([, ...args]) => args);
  return { context: context as unknown as CanvasRenderingContext2D, of };
}

function draw(scene: StatesScene) {
  const { context, of } = recorder();
  new LaneCanvas().draw(context, AREA, scene, new LanePreparer().prepare(scene, AREA.width));
  return of;
}

const PICTURE = turns(200);
const { from, to } = rangeOf(200);

beforeAll(() => {
  global.ImageData = class {} as unknown as typeof ImageData;
});

describe('LaneCanvas', () => {
  it('puts the pixels into the plotting area, in one go', () => {
    const of = draw(sceneOf(PICTURE, from, to));
    expect(of('drawImage').map(([, left, top]) => [left, top])).toEqual([[60, 4]]);
  });

  it('writes the names into the gutter and N* across the lanes that have one', () => {
    const of = draw(sceneOf(PICTURE, from, to));
    expect(of('fillText').map(([text]) => text)).toEqual(expect.arrayContaining(['web', 'app', 'db', 'N* 8', 'GC']));
    expect(of('fillText').every(([, x]) => (x as number) < 0)).toBe(true);
    expect(of('stroke')).toHaveLength(2);
  });

  it('shortens what is wider than the gutter', () => {
    const of = draw({ ...sceneOf(PICTURE, from, to), gutter: 20 });
    expect(of('fillText').map(([text]) => text)).toContain('w…');
  });

  it('sets windows apart only where they are wide', () => {
    expect(draw(sceneOf(PICTURE, from, to))('fillRect')).toHaveLength(0);
    const near = draw(sceneOf(PICTURE, from, from + 500));
    expect(near('fillRect')).toHaveLength(3 * 9);
  });

  it('moves writing and lines when scrolled, not beyond the plotting area', () => {
    const of = draw({ ...sceneOf(PICTURE, from, to), scroll: 40 });
    expect(of('translate')).toContainEqual([0, -40]);
    expect(of('rect')).toEqual([[0, 4, 560, 300]]);
  });
});
