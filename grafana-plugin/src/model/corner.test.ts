// SPDX-License-Identifier: Apache-2.0
import { beside } from './corner';

describe('beside', () => {
  it('follows the pointer where there is room', () => {
    expect(beside(100, 50, 400)).toBe(112);
  });

  it('flips to the other side of the pointer at the far edge', () => {
    expect(beside(380, 50, 400)).toBe(318);
  });

  it('stays inside the panel where neither side has room', () => {
    expect(beside(60, 100, 120)).toBe(20);
  });

  it('begins at the edge where the box is larger than the panel', () => {
    expect(beside(60, 300, 120)).toBe(0);
  });
});
