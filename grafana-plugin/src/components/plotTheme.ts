// SPDX-License-Identifier: Apache-2.0
import { colorManipulator, GrafanaTheme2 } from '@grafana/data';
import { PlotTheme } from '../draw/statesStyle';

/** The parts of Grafana's theme that the time lines need. */
export function plotTheme(theme: GrafanaTheme2): PlotTheme {
  return {
    isDark: theme.isDark,
    background: opaque(theme.colors.background.primary),
    text: opaque(theme.colors.text.primary),
    faintText: theme.colors.text.secondary,
    grid: theme.colors.border.weak,
    fontFamily: theme.typography.fontFamily,
  };
}

/** #rrggbb of any colour; themes write some as rgb() and some with an opacity. */
function opaque(colour: string): string {
  return colorManipulator.asHexString(colour).slice(0, 7);
}
