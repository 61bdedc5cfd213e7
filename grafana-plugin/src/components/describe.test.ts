// SPDX-License-Identifier: Apache-2.0
import { Point, tierOf, turns } from '../fixtures/tiers';
import { describeStates } from './describe';

test('describeStates says each tier, the gravest state first', () => {
  expect(describeStates(turns(400)).replaceAll('\u00a0', ' ')).toBe(
    'Saturation state over time. ' +
      'web: normal 100 %. app: frozen 10 %, saturated 40 %, normal 50 %. db: saturated 50 %, normal 40 %, idle 10 %.'
  );
});

test('describeStates says where there is nothing', () => {
  expect(describeStates({ tiers: [tierOf([] as Point[], { name: 'cache' })], step: 50 })).toBe(
    'Saturation state over time. cache: no windows.'
  );
});
