// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'react';
import { GrafanaTheme2 } from '@grafana/data';
import { tierColour } from '../draw/colour';
import { Picture, Tier } from '../model/tier';
import { Hidden } from './visibility';

/** The tiers that the legend does not hide, each with its colour. */
export function useShownTiers(
  picture: Picture,
  hidden: Hidden,
  theme: GrafanaTheme2
): Array<{ tier: Tier; colour: string }> {
  return useMemo(
    () =>
      picture.tiers
        .filter(({ key }) => !hidden.has(key))
        .map((tier) => ({ tier, colour: tierColour(tier.place, theme) })),
    [picture, hidden, theme]
  );
}
