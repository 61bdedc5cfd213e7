// SPDX-License-Identifier: Apache-2.0

// What a reader looks for first; the SDK puts it wherever its constructors do.
const FIRST = [
  'id',
  'uid',
  'name',
  'type',
  'title',
  'description',
  'tags',
  'gridPos',
  'collapsed',
  'repeat',
  'refId',
  'expr',
];
const LAST = ['targets', 'transformations', 'options', 'fieldConfig', 'annotations', 'templating', 'panels'];

// Defaults of the SDK that say nothing, or that hide links and annotations in a menu.
const NOISE: Record<string, unknown> = {
  auto: false,
  auto_min: '10s',
  auto_count: 30,
  fiscalYearStartMonth: 0,
  placement: 'inControlsMenu',
  skipUrlSync: false,
  transparent: false,
};

function rank(key: string): number {
  const first = FIRST.indexOf(key);
  return first >= 0 ? first : FIRST.length + 1 + LAST.indexOf(key);
}

/** The same dashboard without noise and with keys in an order that reads well and never changes. */
export function tidy(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(tidy);
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  const entries = Object.entries(value).filter(
    ([key, item]) =>
      item !== undefined &&
      !(key in NOISE && NOISE[key] === item) &&
      !(key === 'repeatDirection' && !('repeat' in value)),
  );
  return Object.fromEntries(entries.sort(([a], [b]) => rank(a) - rank(b)).map(([key, item]) => [key, tidy(item)]));
}
