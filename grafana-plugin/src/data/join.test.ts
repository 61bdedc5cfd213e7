// SPDX-License-Identifier: Apache-2.0
import { Random, random } from '../fixtures/random';
import { joinWindows, valuesAt } from './join';
import { Samples } from './samples';

function samples(...pairs: Array<[time: number, value: number]>): Samples {
  return { time: Float64Array.from(pairs, ([time]) => time), value: Float64Array.from(pairs, ([, value]) => value) };
}

function randomSamples({ integer, next }: Random): Samples {
  const density = next();
  return samples(
    ...Array.from({ length: 30 }, (_, i): [number, number] => [i * 50, integer(0, 99)]).filter(() => next() < density)
  );
}

const empty = samples();

test('joinWindows takes the times that both have', () => {
  const joined = joinWindows(samples([0, 1], [50, 2], [150, 3]), samples([50, 20], [100, 30], [150, 40]));
  expect([...joined.time]).toEqual([50, 150]);
  expect([...joined.queue]).toEqual([2, 3]);
  expect([...joined.throughput]).toEqual([20, 40]);
});

test('joinWindows with nothing is nothing', () => {
  expect(joinWindows(empty, samples([0, 1])).time).toHaveLength(0);
  expect(joinWindows(samples([0, 1]), empty).time).toHaveLength(0);
});

test('valuesAt is NaN where there is none at exactly that time', () => {
  expect([...valuesAt(Float64Array.of(0, 50, 100, 150), samples([50, 1], [75, 2], [150, 3]))]).toEqual([
    NaN,
    1,
    NaN,
    3,
  ]);
});

test('both agree with a search for every time', () => {
  const chance = random(53);
  for (let round = 0; round < 200; round++) {
    const [a, b] = [randomSamples(chance), randomSamples(chance)];
    const [inA, inB] = [a, b].map(({ time, value }) => new Map([...time].map((t, i) => [t, value[i]])));
    const joined = joinWindows(a, b);
    const both = [...a.time].filter((t) => inB.has(t));
    expect([...joined.time]).toEqual(both);
    expect([...joined.queue]).toEqual(both.map((t) => inA.get(t)));
    expect([...joined.throughput]).toEqual(both.map((t) => inB.get(t)));
    expect([...valuesAt(a.time, b)]).toEqual([...a.time].map((t) => inB.get(t) ?? NaN));
  }
});
