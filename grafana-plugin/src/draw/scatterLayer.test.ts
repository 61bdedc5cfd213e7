// SPDX-License-Identifier: Apache-2.0
import { recorder } from '../fixtures/context';
import { sequenceOf } from '../fixtures/sequence';
import { tierOf } from '../fixtures/tiers';
import { State } from '../model/state';
import { Tier } from '../model/tier';
import { Frame } from './points';
import { Scatter } from './scatter';
import { ScatterLayer } from './scatterLayer';
import { SequenceScene } from './sequenceScene';

const FRAME: Frame = { width: 800, height: 400, extent: { queue: 80, throughput: 1000 }, log: false };
const RATIO = 2;
const LIMITS = { nStar: 8, tpMax: 500 };

beforeAll(() => {
  global.ImageData = class {} as unknown as typeof ImageData;
});

function layerOf(tiers: Tier[]) {
  const layer = new ScatterLayer();
  const { context, of } = recorder();
  const draw = (scene: SequenceScene, frame = FRAME) => layer.draw(context, 50, 10, scene, frame, RATIO);
  const scene = sequenceOf(tiers);
  draw(scene);
  return { layer, draw, scene, of };
}

describe('ScatterLayer', () => {
  // in CSS pixels: 20 requests are at 100, 500 requests/s at 100
  const web = tierOf(
    [
      [20, 500],
      [40, 500],
      [40, 0],
    ],
    { ...LIMITS, tier: 'web' }
  );
  const app = tierOf(
    [
      [60, 500],
      [40, 0],
    ],
    { tier: 'app' }
  );

  it('puts its picture where the plotting area is, margin and all', () => {
    const { of } = layerOf([web]);
    const [, left, top] = of('drawImage')[0].args as [unknown, number, number];
    expect(50 - left).toBe(10 - top);
    expect(50 - left).toBeGreaterThan(0);
  });

  it('finds the window near the pointer', () => {
    const { layer } = layerOf([web, app]);
    expect(layer.hit(103, 96)).toEqual({ tier: 0, index: 0 });
    expect(layer.hit(297, 104)).toEqual({ tier: 1, index: 0 });
    expect(layer.hit(150, 50)).toBeNull();
  });

  it('prefers a frozen window to another at the same place', () => {
    expect(layerOf([web, app]).layer.hit(200, 199)).toEqual({ tier: 0, index: 2 });
    expect(layerOf([app, web]).layer.hit(200, 199)).toEqual({ tier: 1, index: 2 });
  });

  it('prefers a frozen window to one that waits or is not judged yet', () => {
    const state = [State.Frozen, State.Waiting, State.Unjudged];
    const same = [0, 1, 2].map((i) => tierOf([[40, 0]], { tier: `${i}`, state: Uint8Array.of(state[i]) }));
    expect(layerOf(same).layer.hit(200, 199)).toEqual({ tier: 0, index: 0 });
    expect(layerOf(same.slice(1)).layer.hit(200, 199)).toEqual({ tier: 0, index: 0 });
  });

  it('finds the new windows after a refresh', () => {
    const { layer, draw } = layerOf([web]);
    expect(layer.hit(300, 100)).toBeNull();
    draw(sequenceOf([app]));
    expect(layer.hit(300, 100)).toEqual({ tier: 0, index: 0 });
  });

  it('tells where a window is', () => {
    expect(layerOf([web, app]).layer.placeOfHit({ tier: 1, index: 0 })).toEqual({ x: 300, y: 100 });
  });

  it('picks the windows in a rectangle', () => {
    const flags = layerOf([web, app])
      .layer.within(150, 50, 320, 200)
      .map((of) => [...of]);
    expect(flags).toEqual([
      [0, 1, 1],
      [1, 1],
    ]);
  });

  it('draws the points again only if something about them has changed', () => {
    const paint = jest.spyOn(Scatter.prototype, 'draw');
    const { draw, scene } = layerOf([web]);
    draw({ ...scene, description: 'the same in other words' });
    expect(paint).toHaveBeenCalledTimes(1);
    draw({ ...scene, selected: [Uint8Array.of(1, 0, 0)] });
    draw({ ...scene, theme: { ...scene.theme, isDark: false } });
    draw(scene, { ...FRAME, width: 700 });
    draw(sequenceOf([app]), { ...FRAME, width: 700 });
    expect(paint).toHaveBeenCalledTimes(5);
    paint.mockRestore();
  });
});
