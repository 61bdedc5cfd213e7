// SPDX-License-Identifier: Apache-2.0
import { T0, windowEnd } from '../fixtures/clock';
import { meanOf, within } from './within';

const time = Float64Array.from([0, 1, 2, 5, 6], (i) => windowEnd(i));

test.each([
  ['a moment within a window', 60, 60.5, [1, 2]],
  ['from an edge on', 50, 50.5, [1, 2]],
  ['up to an edge', 49, 50, [0, 1]],
  ['several windows', 20, 120, [0, 3]],
  ['a gap', 160, 240, [3, 3]],
  ['across a gap', 140, 260, [2, 4]],
  ['before', -50, 0, [0, 0]],
  ['after', 400, 500, [5, 5]],
])('within: %s', (_, from, to, [first, end]) => {
  expect(within({ time }, T0 + from, T0 + to, 50)).toEqual({ first, end });
});

test('meanOf leaves out what is no number', () => {
  expect(meanOf([1, NaN, 3, 100], { first: 0, end: 3 })).toBe(2);
  expect(meanOf([NaN, 5], { first: 0, end: 1 })).toBeNaN();
  expect(meanOf([5], { first: 0, end: 0 })).toBeNaN();
});
