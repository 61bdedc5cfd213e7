// SPDX-License-Identifier: Apache-2.0
import { isolate, toggle } from './visibility';

const ALL = ['web', 'app', 'db'];
const hidden = (...keys: string[]) => new Set(keys);

test('toggle hides and shows, and leaves what it was given alone', () => {
  const before = hidden('db');
  expect(toggle(before, 'app')).toEqual(hidden('db', 'app'));
  expect(toggle(before, 'db')).toEqual(hidden());
  expect(before).toEqual(hidden('db'));
});

test('isolate shows one alone, and all again at the second time', () => {
  const alone = isolate(hidden(), 'app', ALL);
  expect(alone).toEqual(hidden('web', 'db'));
  expect(isolate(alone, 'app', ALL)).toEqual(hidden());
});

test('isolate brings back a tier that was hidden', () => {
  expect(isolate(hidden('app'), 'app', ALL)).toEqual(hidden('web', 'db'));
  expect(isolate(hidden('web', 'db'), 'db', ALL)).toEqual(hidden('web', 'app'));
});

test('isolate of the only tier changes nothing', () => {
  expect(isolate(hidden(), 'web', ['web'])).toEqual(hidden());
});
