// SPDX-License-Identifier: Apache-2.0
import { laneColours, mix, PlotTheme } from './statesStyle';

const THEME: PlotTheme = {
  isDark: true,
  background: '#181b1f',
  text: '#ccccdc',
  faintText: '#ccccdc',
  grid: '#333333',
  fontFamily: 'Inter',
};

test('mix goes from one colour to the other', () => {
  expect(mix('#ff0000', '#0000ff', 0)).toEqual([255, 0, 0]);
  expect(mix('#ff0000', '#0000ff', 1)).toEqual([0, 0, 255]);
  expect(mix('#ff0000', '#0000ff', 0.25)).toEqual([191, 0, 64]);
});

test.each([true, false])('all colours of a lane differ (dark: %p)', (isDark) => {
  const { state, ...rest } = laneColours('#4aa3ff', { ...THEME, isDark, background: isDark ? '#181b1f' : '#ffffff' });
  const all = [...state, ...Object.values(rest)];
  expect(new Set(all).size).toBe(all.length);
});
