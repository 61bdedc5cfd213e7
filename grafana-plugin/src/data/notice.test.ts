// SPDX-License-Identifier: Apache-2.0
import { list } from './notice';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c', 'd'], 'a, b, c and d'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
])('list of %j is "%s"', (names, text) => {
  expect(list(names)).toBe(text);
});
