// SPDX-License-Identifier: Apache-2.0
import { createTheme } from '@grafana/data';
import { plotTheme } from './plotTheme';

test.each(['dark', 'light'] as const)('plotTheme has opaque hex colours in %s', (mode) => {
  const theme = plotTheme(createTheme({ colors: { mode } }));
  expect(theme.isDark).toBe(mode === 'dark');
  expect(theme.background).toMatch(/^#[0-9a-f]{6}$/i);
  expect(theme.text).toMatch(/^#[0-9a-f]{6}$/i);
  expect(theme.text).not.toBe(theme.background);
});
