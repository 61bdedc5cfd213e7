// SPDX-License-Identifier: Apache-2.0
import React, { useMemo } from 'react';
import { createTheme, ThemeContext } from '@grafana/data';
import { GlobalStyles, PortalContainer } from '@grafana/ui';
import { config } from './runtime';

interface Props {
  mode: 'dark' | 'light';
  children: React.ReactNode;
}

// Grafana's typeface where it is installed, else the system's.
const fontFamily = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif";
const fontFamilyMonospace = "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace";

/** Grafana's theme, global styles and a place for what floats above the page. */
export function Theme({ mode, children }: Props) {
  const theme = useMemo(
    () => createTheme({ colors: { mode }, typography: { fontFamily, fontFamilyMonospace } }),
    [mode]
  );
  config.theme2 = theme;
  return (
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      {children}
      <PortalContainer />
    </ThemeContext.Provider>
  );
}
