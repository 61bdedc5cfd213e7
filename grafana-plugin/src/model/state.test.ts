// SPDX-License-Identifier: Apache-2.0
import { JUDGED, State, stateFrom, STATE_WORDS, STATES } from './state';

describe('stateFrom', () => {
  it.each(STATES.map((name, value) => [value, name]))('takes %d for %s', (value, name) => {
    expect(STATE_WORDS[stateFrom(value as number)]).toBe(name);
  });

  it('knows no state where there is no value', () => {
    expect(stateFrom(NaN)).toBe(State.Unjudged);
  });

  it.each([6, -1, 1.5, Infinity])('takes %d, which is no state here, for unknown', (value) => {
    expect(stateFrom(value)).toBe(State.Unknown);
  });
});

test('every judged state has its place by gravity', () => {
  expect([...JUDGED].sort()).toEqual(STATES.map((_, state) => state));
});
