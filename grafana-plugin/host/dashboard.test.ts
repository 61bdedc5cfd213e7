// SPDX-License-Identifier: Apache-2.0
import { Panel, panelsOfType, readDashboard, repeat } from './dashboard';

const panel = (id: number, type: string, more: Partial<Panel> = {}): Panel => ({
  id,
  type,
  gridPos: { x: 0, y: 0, w: 24, h: 8 },
  ...more,
});

describe('readDashboard', () => {
  it('refuses what is none', () => {
    expect(() => readDashboard({ elements: {} })).toThrow(/no dashboard in Grafana's classic JSON/);
    expect(() => readDashboard(null)).toThrow(/no dashboard/);
  });
});

describe('panelsOfType', () => {
  it('finds panels in their order, those of closed rows too', () => {
    const dashboard = readDashboard({
      title: 'x',
      panels: [panel(1, 'ours'), panel(2, 'row', { panels: [panel(3, 'ours'), panel(4, 'table')] }), panel(5, 'ours')],
    });
    expect(panelsOfType(dashboard, 'ours').map(({ id }) => id)).toEqual([1, 3, 5]);
  });
});

describe('repeat', () => {
  const scope = new Map([['tier', { values: ['httpd', 'tomcat'], text: 'All', allValue: '.+' }]]);

  it('makes a panel per value, each with that value alone', () => {
    const copies = repeat(panel(9, 'ours', { title: 'Of $tier', repeat: 'tier' }), scope);
    expect(copies.map(({ key, title }) => [key, title])).toEqual([
      ['9-httpd', 'Of httpd'],
      ['9-tomcat', 'Of tomcat'],
    ]);
    expect(copies[1].scope.get('tier')).toEqual({ values: ['tomcat'] });
  });

  it('leaves a panel alone that is not repeated, or by a variable that is not there', () => {
    expect(repeat(panel(7, 'ours', { title: 'Of $tier' }), scope)).toMatchObject([{ key: '7', title: 'Of All' }]);
    expect(repeat(panel(8, 'ours', { repeat: 'none' }), scope)).toMatchObject([{ key: '8', title: '' }]);
  });
});
