// SPDX-License-Identifier: Apache-2.0
import { State, STATES } from '../model/state';
import { channels, fade, stateColour, TIER_COLOURS, tierColour } from './colour';

type Triple = [number, number, number];

const THEMES = [
  { name: 'dark', isDark: true, background: '#181b1f' },
  { name: 'light', isDark: false, background: '#ffffff' },
];

/** Linear light of a colour. */
function linear(colour: string): Triple {
  return channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Triple;
}

function contrast(one: string, other: string): number {
  const [low, high] = [one, other]
    .map((colour) => {
      const [red, green, blue] = linear(colour);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const times = (matrix: Triple[], v: Triple) =>
  matrix.map((row) => Math.min(Math.max(row[0] * v[0] + row[1] * v[1] + row[2] * v[2], 0), 1)) as Triple;

/** How eyes without one kind of cone see linear light (Machado, Oliveira and Fernandes 2009, severity 1). */
const EYES: Record<string, Triple[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

/** Place in Oklab, in which the distance corresponds to how different colours look. */
function oklab(light: Triple): Triple {
  const [l, m, s] = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ].map((row) => Math.cbrt(row[0] * light[0] + row[1] * light[1] + row[2] * light[2]));
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Distance of two colours for the kind of colour vision that distinguishes them least. */
function apart(one: string, other: string): number {
  const distances = Object.values(EYES).map((eye) => {
    const [a, b] = [one, other].map((colour) => oklab(times(eye, linear(colour))));
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  });
  return Math.min(...distances);
}

function pairs<T>(items: T[]): Array<[T, T]> {
  return items.flatMap((one, i) => items.slice(i + 1).map((other): [T, T] => [one, other]));
}

describe.each(THEMES)('colours on $name', (theme) => {
  const tiers = Array.from({ length: TIER_COLOURS }, (_, i) => tierColour(i, theme));
  const states = STATES.map((_, state) => stateColour(state, theme));

  it('of tiers are legible as writing', () => {
    tiers.forEach((colour) => expect(contrast(colour, theme.background)).toBeGreaterThanOrEqual(4.5));
  });

  it('of frozen is legible as writing', () => {
    expect(contrast(states[State.Frozen], theme.background)).toBeGreaterThanOrEqual(4.5);
  });

  it('of the first three tiers are clearly apart, colour-blind or not; of all tiers, apart', () => {
    pairs(tiers.slice(0, 3)).forEach(([one, other]) => expect(apart(one, other)).toBeGreaterThan(0.1));
    pairs(tiers).forEach(([one, other]) => expect(apart(one, other)).toBeGreaterThan(0.05));
  });

  it('of tiers are never taken for frozen', () => {
    tiers.forEach((colour) => expect(apart(colour, states[State.Frozen])).toBeGreaterThan(0.06));
  });

  it('of states are apart', () => {
    pairs(states).forEach(([one, other]) => expect(apart(one, other)).toBeGreaterThan(0.08));
  });

  it('begin again where there are more tiers than colours', () => {
    expect(tierColour(TIER_COLOURS, theme)).toBe(tiers[0]);
  });
});

describe('channels', () => {
  it('takes a colour apart', () => {
    expect(channels('#12ab0f')).toEqual([0x12, 0xab, 0x0f]);
  });
});

describe('fade', () => {
  it('gives a colour an opacity', () => {
    expect(fade('#ff8000', 0.5)).toBe('rgba(255,128,0,0.5)');
  });
});
