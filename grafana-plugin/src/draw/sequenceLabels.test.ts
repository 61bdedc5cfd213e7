// SPDX-License-Identifier: Apache-2.0
import { FakePath, recorder } from '../fixtures/context';
import { sequenceOf } from '../fixtures/sequence';
import { THEME } from '../fixtures/theme';
import { Point, tierOf } from '../fixtures/tiers';
import { State } from '../model/state';
import { stateColour } from './colour';
import { Frame, placePoints } from './points';
import { drawLabels, frozenGroup } from './sequenceLabels';
import { SceneTier } from './sequenceScene';

const FRAME: Frame = { width: 500, height: 300, extent: { queue: 80, throughput: 1000 }, log: false };
const LIMITS = { nStar: 8, tpMax: 500 };
const FROZEN: Point[] = [
  [20, 0],
  [40, 50],
];

beforeAll(() => {
  global.Path2D = FakePath as unknown as typeof Path2D;
});

function draw(tiers: Array<ReturnType<typeof tierOf>>, frame = FRAME) {
  return drawn(sequenceOf(tiers).tiers, frame);
}

function drawn(scene: SceneTier[], frame = FRAME) {
  const { context, of } = recorder();
  const points = placePoints(
    scene.map(({ tier }) => tier),
    frame
  );
  drawLabels(context, scene, points, frame, THEME, 1);
  return of('fillText').map(({ args, style }) => ({
    text: args[0] as string,
    x: args[1] as number,
    y: args[2] as number,
    colour: style.fillStyle as string,
  }));
}

describe('frozenGroup', () => {
  it('is where the frozen windows of a tier are', () => {
    const points = placePoints([tierOf([[1, 100]], LIMITS), tierOf([...FROZEN, [60, 500]], LIMITS)], FRAME);
    expect(frozenGroup(points, 0)).toBeNull();
    expect(frozenGroup(points, 1)).toEqual({ middle: 187.5, top: 285 });
  });
});

describe('drawLabels', () => {
  it('names the lines of a tier in its colour', () => {
    const labels = draw([tierOf([[1, 100]], { ...LIMITS, tier: 'web' })]);
    expect(labels.map(({ text }) => text)).toEqual(['web N*', 'web TPmax']);
    expect(new Set(labels.map(({ colour }) => colour)).size).toBe(1);
  });

  it('names no line that is not there', () => {
    const [scene] = sequenceOf([tierOf([[1, 100]])]).tiers;
    expect(drawn([{ ...scene, nStarLabel: '' }])).toEqual([]);
  });

  it('says why there is no N* where its line would be looked for', () => {
    const [{ text, x }] = draw([tierOf([[1, 100]], { tier: 'web' })]);
    expect(text).toBe('web N*');
    expect(x).toBeLessThan(20);
  });

  it('says who is frozen, above the frozen windows of all tiers', () => {
    const labels = draw([
      tierOf([[30, 0]], { ...LIMITS, tier: 'web' }),
      tierOf(FROZEN, { ...LIMITS, tier: 'app' }),
      tierOf([[1, 100]], { ...LIMITS, tier: 'db' }),
    ]).filter(({ colour }) => colour === stateColour(State.Frozen, { isDark: true }));
    expect(labels.map(({ text }) => text)).toEqual(['web frozen', 'app frozen']);
    labels.forEach(({ y }) => expect(y).toBeLessThan(285));
  });

  it('leaves the lines without names in a low plot, and writes nothing in a tiny one', () => {
    const tiers = [tierOf(FROZEN, { ...LIMITS, tier: 'app' })];
    expect(draw(tiers, { ...FRAME, height: 110 }).map(({ text }) => text)).toEqual(['app frozen']);
    expect(draw(tiers, { ...FRAME, height: 60 })).toEqual([]);
  });
});
