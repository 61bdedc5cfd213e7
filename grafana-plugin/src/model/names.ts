// SPDX-License-Identifier: Apache-2.0
import { TierLabels } from './tier';

/** Ways to write a tier's name, shortest first. */
const FORMS: Array<(labels: TierLabels) => string> = [
  ({ tier }) => tier,
  ({ tier, instance }) => `${tier}@${instance}`,
  ({ app, tier }) => `${app}/${tier}`,
  ({ app, tier, instance }) => `${app}/${tier}@${instance}`,
];

/** One string per set of labels; tiers with other labels have another one, whatever is in the labels. */
export function keyOf({ app, tier, instance }: TierLabels): string {
  return JSON.stringify([app, tier, instance]);
}

/** For each tier the shortest name that no other tier of the list has. */
export function shortNames(tiers: readonly TierLabels[]): string[] {
  const names: string[] = new Array(tiers.length);
  let open = tiers.map((_, i) => i);
  for (const form of FORMS) {
    const count = new Map<string, number>();
    for (const labels of tiers) {
      count.set(form(labels), (count.get(form(labels)) ?? 0) + 1);
    }
    for (const i of open) {
      names[i] = form(tiers[i]);
    }
    open = open.filter((i) => count.get(names[i])! > 1);
  }
  return names;
}
