// SPDX-License-Identifier: Apache-2.0
import { TierLabels } from './tier';

/** Requests pass from one tier to another. */
export interface Edge {
  app: string;
  from: string;
  to: string;
}

/** Numbers within names count as numbers: node-2 comes before node-10. */
const collator = new Intl.Collator('en', { numeric: true });

/**
 * Indices of the tiers in the order in which a request passes them: application by application, callers before the
 * called, tiers without edges last. By name if edges do not decide. A circle is entered where it is called from
 * outside, otherwise at its first name.
 */
export function requestOrder(tiers: readonly TierLabels[], edges: readonly Edge[]): number[] {
  const rank = new Map<string, number>();
  for (const app of new Set(tiers.map((labels) => labels.app))) {
    const names = new Set(tiers.filter((labels) => labels.app === app).map((labels) => labels.tier));
    const within = edges.filter((e) => e.app === app && e.from !== e.to && names.has(e.from) && names.has(e.to));
    callersFirst([...names].sort(collator.compare), within).forEach((name, i) => rank.set(place(app, name), i));
  }
  const byRank = (a: TierLabels, b: TierLabels) =>
    collator.compare(a.app, b.app) ||
    rank.get(place(a.app, a.tier))! - rank.get(place(b.app, b.tier))! ||
    collator.compare(a.instance, b.instance);
  return tiers.map((_, i) => i).sort((a, b) => byRank(tiers[a], tiers[b]));
}

/**
 * The place of each tier in {@link requestOrder}, with the tiers that only the edges know counted as well. A tier's
 * second server comes after the first servers of all tiers, and so on: how many servers another tier has changes
 * nothing.
 */
export function places(tiers: readonly TierLabels[], edges: readonly Edge[]): number[] {
  const ends = edges.flatMap(({ app, from, to }) => [from, to].map((tier) => ({ app, tier, instance: '' })));
  const all = [...tiers, ...ends];
  const order = requestOrder(all, edges);
  const names = [...new Set(order.map((i) => place(all[i].app, all[i].tier)))];
  const servers = new Map(names.map((name) => [name, 0]));
  const found = new Map<number, number>();
  for (const i of order.filter((i) => i < tiers.length)) {
    const name = place(tiers[i].app, tiers[i].tier);
    const server = servers.get(name)!;
    servers.set(name, server + 1);
    found.set(i, names.indexOf(name) + server * names.length);
  }
  return tiers.map((_, i) => found.get(i)!);
}

function place(app: string, tier: string): string {
  return JSON.stringify([app, tier]);
}

function callersFirst(names: string[], edges: Edge[]): string[] {
  const placed = new Set<string>();
  const touched = new Set(edges.flatMap(({ from, to }) => [from, to]));
  let open = names.filter((name) => touched.has(name));
  const free = (name: string) => edges.every((e) => e.to !== name || placed.has(e.from));
  const reached = (name: string) => edges.some((e) => e.to === name && placed.has(e.from));
  while (open.length > 0) {
    const next = open.find(free) ?? open.find(reached) ?? open[0];
    placed.add(next);
    open = open.filter((name) => name !== next);
  }
  return [...placed, ...names.filter((name) => !touched.has(name))];
}
