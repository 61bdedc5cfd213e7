// SPDX-License-Identifier: Apache-2.0

/** Keys of the tiers that are not drawn. */
export type Hidden = ReadonlySet<string>;

/** Hides a tier that shows, shows one that is hidden. */
export function toggle(hidden: Hidden, key: string): Hidden {
  const next = new Set(hidden);
  if (!next.delete(key)) {
    next.add(key);
  }
  return next;
}

/** Shows one tier alone; all of them if it was alone already. */
export function isolate(hidden: Hidden, key: string, all: readonly string[]): Hidden {
  const alone = all.every((other) => hidden.has(other) === (other !== key));
  return alone ? new Set() : new Set(all.filter((other) => other !== key));
}
