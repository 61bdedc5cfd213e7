// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { useTheme2 } from '@grafana/ui';
import { stateColour } from '../draw/colour';
import { State } from '../model/state';
import { stripesOf } from '../draw/statesStyle';
import { plotTheme } from './plotTheme';

/** A state as the bands show it: by colour, and by its stripes if it has some. */
export function StateSwatch({ state }: { state: State }) {
  const theme = useTheme2();
  const colour = stateColour(state, theme);
  const stripes = stripesOf(state, plotTheme(theme));
  const background = stripes
    ? `repeating-linear-gradient(${90 + 45 * stripes.lean}deg, ` +
      `rgb(${stripes.rgb.join(',')}) 0 1.4px, ${colour} 1.4px 4.2px)`
    : colour;
  return <span aria-hidden className={swatch} style={{ background, borderColor: theme.colors.border.medium }} />;
}

const swatch = css({
  display: 'inline-block',
  flex: 'none',
  width: 12,
  height: 12,
  border: '1px solid',
  borderRadius: 2,
});
