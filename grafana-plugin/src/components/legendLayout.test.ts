// SPDX-License-Identifier: Apache-2.0
import { layoutLegend, ROW } from './legendLayout';

const NAMES = ['httpd', 'tomcat', 'mariadb'];

describe('layoutLegend', () => {
  it('is a table where there is room', () => {
    const { form, height } = layoutLegend(NAMES, true, 1200, 450);
    expect(form).toBe('table');
    expect(height).toBeGreaterThan(4 * ROW);
  });

  it('never takes much more than a third, however many tiers there are', () => {
    const { form, height } = layoutLegend(Array(50).fill('tier'), true, 1200, 400);
    expect(form).toBe('table');
    expect(height).toBeLessThan(160);
  });

  it.each([
    ['low', 1200, 200, 1],
    ['narrow', 600, 240, 2],
    ['as narrow as a phone', 320, 240, 3],
    ['low and narrow', 320, 150, 1],
    ['not wide enough for all figures', 800, 400, 1],
  ])('is made of lines in a panel that is %s', (_, width, height, lines) => {
    const legend = layoutLegend(NAMES, true, width, height);
    expect(legend.form).toBe('line');
    expect(Math.floor(legend.height / ROW)).toBe(lines);
  });

  it('needs less width where fewer states are shown', () => {
    expect(layoutLegend(NAMES, false, 700, 400).form).toBe('table');
  });

  it('goes in a very low panel, or where none is wanted', () => {
    expect(layoutLegend(NAMES, true, 600, 80)).toEqual({ form: 'none', height: 0 });
    expect(layoutLegend([], true, 600, 400)).toEqual({ form: 'none', height: 0 });
  });
});
