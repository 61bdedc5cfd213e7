// SPDX-License-Identifier: Apache-2.0
import { zoned } from './zoned';

// tests run in UTC, see jest.config.js
const NOON = Date.UTC(2026, 0, 5, 12, 0, 0, 250);

test.each([
  ['browser', 12],
  ['utc', 12],
  ['Asia/Tokyo', 21],
  ['America/New_York', 7],
])("noon in %s is %d o'clock", (zone, hour) => {
  const date = zoned(NOON, zone);
  expect([date.getHours(), date.getMinutes(), date.getMilliseconds()]).toEqual([hour, 0, 250]);
});
