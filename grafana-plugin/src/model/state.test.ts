// SPDX-License-Identifier: Apache-2.0
import { State, stateOf, STATES } from './state';

describe('stateOf, with N* 8 and TPmax 400', () => {
  it.each([
    ['idle', 0, 0],
    ['normal', 0, 20], // requests came and went; the mean queue length rounds to 0
    ['normal', 0.5, 0], // one request in work, none done: not idle
    ['normal', 8, 0], // on N* is not beyond it
    ['saturated', 8.01, 400],
    ['saturated', 8.01, 80], // a fifth of TPmax is not below a fifth
    ['frozen', 8.01, 79.9],
    ['frozen', 60, 0],
  ] as const)('%s: queue %d, throughput %d', (name, queue, throughput) => {
    expect(STATES[stateOf(queue, throughput, 8, 400)]).toBe(name);
  });

  it('knows only idle and normal without N*', () => {
    expect(stateOf(60, 0, NaN, 400)).toBe(State.Normal);
    expect(stateOf(0, 0, NaN, 400)).toBe(State.Idle);
  });

  it('knows no frozen without TPmax', () => {
    expect(stateOf(60, 0, 8, NaN)).toBe(State.Saturated);
  });
});
