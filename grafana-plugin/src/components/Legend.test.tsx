// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { Point, tierOf, turns } from '../fixtures/tiers';
import { View } from '../types';
import { Legend } from './Legend';
import { LegendForm } from './legendLayout';

const { tiers } = turns(400);
const keys = tiers.map(({ key }) => key);

function show(form: LegendForm, view: View = 'states', hidden: string[] = []) {
  const onChange = jest.fn();
  const layout = { form, height: form === 'line' ? 28 : 100 };
  render(<Legend tiers={tiers} step={50} hidden={new Set(hidden)} onChange={onChange} layout={layout} view={view} />);
  return onChange;
}

const button = (name: string) => screen.getByRole('button', { name });
const cells = (name: string) => {
  const row = screen.getByRole('row', { name: new RegExp(`^${name} `) });
  return within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent!.replace('\u00a0', ' '));
};
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

describe('Legend as a table', () => {
  it('has all states for time lines, as the key to them', () => {
    show('table');
    expect(heads()).toEqual([
      'Tier',
      'frozen',
      'saturated',
      'waiting',
      'unknown',
      'normal',
      'idle',
      'N*',
      'TPmax',
      'Windows',
    ]);
    // a turn of 40 windows: 16 saturated and 4 frozen, then 20 normal
    expect(cells('app')).toEqual(['10 %', '40 %', '0 %', '0 %', '50 %', '0 %', '8', '400/s', '400']);
    expect(cells('web')).toEqual(['0 %', '0 %', '0 %', '0 %', '100 %', '0 %', '–', '400/s', '400']);
  });

  it('has the states that matter for the main sequence', () => {
    show('table', 'sequence');
    expect(heads()).toEqual(['Tier', 'frozen', 'saturated', 'waiting', 'unknown', 'N*', 'TPmax', 'Windows']);
  });

  it('has dashes where nothing is known, and why there is no N*', () => {
    const empty = tierOf([] as Point[], { name: 'cache', nStarStatus: 'learning' });
    render(
      <Legend
        tiers={[empty]}
        step={50}
        hidden={new Set()}
        onChange={jest.fn()}
        layout={{ form: 'table', height: 100 }}
        view="sequence"
      />
    );
    expect(cells('cache')).toEqual(['–', '–', '–', '–', 'learning', '–', '0']);
  });
});

describe.each(['table', 'line'] as const)('Legend as a %s', (form) => {
  it('hides a tier at a click and shows it at the next', () => {
    const onChange = show(form, 'states', [keys[2]]);
    expect(button('app')).toHaveAttribute('aria-pressed', 'true');
    expect(button('db')).toHaveAttribute('aria-pressed', 'false');
    fireEvent.click(button('app'));
    expect(onChange).toHaveBeenLastCalledWith(new Set([keys[2], keys[1]]));
    fireEvent.click(button('db'));
    expect(onChange).toHaveBeenLastCalledWith(new Set());
  });

  it.each([
    ['Ctrl', () => fireEvent.click(button('app'), { ctrlKey: true })],
    ['Cmd', () => fireEvent.click(button('app'), { metaKey: true })],
    ['a double click', () => fireEvent.doubleClick(button('app'))],
  ])('shows a tier alone with %s', (_, act) => {
    const onChange = show(form);
    act();
    expect(onChange).toHaveBeenLastCalledWith(new Set([keys[0], keys[2]]));
  });
});

describe('Legend as a line', () => {
  it('explains the states in words beside time lines only', () => {
    show('line');
    expect(screen.getByText('frozen')).toBeVisible();
    expect(screen.getByText('idle')).toBeVisible();
  });

  it('has names alone beside the main sequence', () => {
    show('line', 'sequence');
    expect(screen.getAllByRole('button')).toHaveLength(3);
    expect(screen.queryByText('frozen')).toBeNull();
  });
});

test('no legend where there is no room', () => {
  show('none');
  expect(screen.queryByRole('button')).toBeNull();
});
