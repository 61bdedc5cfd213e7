// SPDX-License-Identifier: Apache-2.0
import { State, STATES } from './state';
import { StateShares, Tier } from './tier';

/** Share of a tier's windows in each state, 0 to 1, by State; NaN where it is unknown. */
export type Shares = [number, number, number, number];

/**
 * What the windows of a tier come to. Without windows nothing is known, and without N* nothing of what lies beyond it.
 * Where only 1 in n windows was sent, the recorded shares, which know all of them, take their place.
 *
 * @param step distance of neighbouring windows in the answer, ms
 */
export function stateShares(tier: Tier, step: number): Shares {
  const shares = (step > tier.width && tier.shares && recorded(tier.shares)) || counted(tier);
  for (const state of [State.Saturated, State.Frozen]) {
    if (tier.nStar === null && shares[state] === 0) {
      shares[state] = NaN;
    }
  }
  return shares;
}

function counted({ state }: Tier): Shares {
  const count: Shares = [0, 0, 0, 0];
  state.forEach((one) => count[one]++);
  return parts(count);
}

/** The mean over time; null where nothing was recorded. */
function recorded({ share }: StateShares): Shares | null {
  const sums = share.map((values) => values.reduce((sum, value) => sum + (value > 0 ? value : 0), 0)) as Shares;
  return sums.some((sum) => sum > 0) ? parts(sums) : null;
}

/** NaN where there is nothing to share. */
function parts(amounts: Shares): Shares {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  return STATES.map((_, state) => amounts[state] / whole) as Shares;
}
