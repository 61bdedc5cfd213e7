// SPDX-License-Identifier: Apache-2.0
import { tierOf } from '../fixtures/tiers';
import { State } from '../model/state';
import { Frame, NOWHERE, placeOf, placePoints, tierOfPoint } from './points';

const FRAME: Frame = { width: 400, height: 200, extent: { queue: 80, throughput: 1000 }, log: false };

describe('placePoints', () => {
  it('puts 0 into the lower left corner and the extent into the upper right one', () => {
    const { x, y } = placePoints(
      [
        tierOf([
          [0, 0],
          [80, 1000],
          [20, 250],
        ]),
      ],
      FRAME
    );
    expect([...x]).toEqual([0, 400, 100]);
    expect([...y]).toEqual([200, 0, 150]);
  });

  it('spreads short queues on a logarithmic axis, 0 included', () => {
    const { x } = placePoints(
      [
        tierOf([
          [0, 1],
          [1, 1],
          [80, 1],
        ]),
      ],
      { ...FRAME, log: true }
    );
    expect([...x]).toEqual([0, Math.round((400 * Math.asinh(1)) / Math.asinh(80)), 400]);
  });

  it('lists the tiers one after another, with the states of their windows', () => {
    const limits = { nStar: 5, tpMax: 500 };
    const points = placePoints(
      [tierOf([[1, 100]], limits), tierOf([], limits), tierOf([[9, 0], null, [9, 400]], limits)],
      FRAME
    );
    expect(points.count).toBe(3);
    expect([...points.state]).toEqual([State.Normal, State.Frozen, State.Saturated]);
    expect([0, 1, 2].map((point) => tierOfPoint(points, point))).toEqual([0, 2, 2]);
  });

  it('puts what is no number, or beyond the extent, nowhere', () => {
    const { x, y } = placePoints(
      [
        tierOf([
          [NaN, 1],
          [1, NaN],
          [81, 1],
          [1, 1001],
        ]),
      ],
      FRAME
    );
    expect([...x, ...y].every((place) => place === NOWHERE)).toBe(true);
  });
});

describe('placeOf', () => {
  it.each([false, true])('agrees with the points (log: %s)', (log) => {
    const frame = { ...FRAME, log };
    const { x, y } = placePoints([tierOf([[13, 370]])], frame);
    const place = placeOf(frame, 13, 370);
    expect(Math.abs(place.x - x[0])).toBeLessThanOrEqual(0.5);
    expect(Math.abs(place.y - y[0])).toBeLessThanOrEqual(0.5);
  });
});
