// SPDX-License-Identifier: Apache-2.0
import { STATES } from './state';
import { StateShares, Tier } from './tier';

/** Share of a tier's judged windows in each state, 0 to 1, by State; NaN if nothing was judged. */
export type Shares = number[];

/**
 * The sums over the windows of a tier, without those that are not judged yet. If only 1 in n windows was sent, the
 * recorded shares, which know all of them, are used instead.
 *
 * @param step distance of neighbouring windows in the answer, ms
 */
export function stateShares(tier: Tier, step: number): Shares {
  return (step > tier.width && tier.shares && recorded(tier.shares)) || counted(tier);
}

function counted({ state }: Tier): Shares {
  const count = STATES.map(() => 0);
  state.forEach((one) => one < count.length && count[one]++);
  return parts(count);
}

/** The mean over time; null if nothing was recorded. */
function recorded({ share }: StateShares): Shares | null {
  const sums = share.map((values) => values.reduce((sum, value) => sum + (value > 0 ? value : 0), 0));
  return sums.some((sum) => sum > 0) ? parts(sums) : null;
}

/** NaN if there is nothing to share. */
function parts(amounts: Shares): Shares {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  return amounts.map((amount) => amount / whole);
}
