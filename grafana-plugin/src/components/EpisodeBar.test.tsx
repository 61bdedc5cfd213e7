// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { fireEvent, render, screen } from '@testing-library/react';
import { ofState, pick } from '../model/picked';
import { State } from '../model/state';
import { turns } from '../fixtures/tiers';
import { EpisodeBar } from './EpisodeBar';

const PICTURE = turns(200);
const PICKED = pick(PICTURE.tiers, ofState(PICTURE.tiers, State.Frozen), PICTURE)!;
const NAMES = new Map(PICTURE.tiers.map(({ key, name }) => [key, name]));

function show(set: Partial<React.ComponentProps<typeof EpisodeBar>> = {}) {
  const calls = { onFrozen: jest.fn(), onZoom: jest.fn(), onClear: jest.fn() };
  render(<EpisodeBar picked={PICKED} frozen={20} names={NAMES} width={1000} timeZone="utc" {...calls} {...set} />);
  return calls;
}

const zooms = () => screen.getAllByRole('button', { name: /^Zoom to/ });

describe('EpisodeBar', () => {
  it('offers the frozen windows while nothing is picked', () => {
    const { onFrozen } = show({ picked: null });
    fireEvent.click(screen.getByRole('button', { name: 'Select 20 frozen windows' }));
    expect(onFrozen).toHaveBeenCalledTimes(1);
  });

  it('says what is picked, and that these are the longest', () => {
    show();
    expect(screen.getByRole('status')).toHaveTextContent('20 windows in 5 episodes, the longest:');
  });

  it('does not speak of the longest where all are there', () => {
    show({ width: 3000 });
    expect(zooms()).toHaveLength(5);
    expect(screen.getByRole('status')).toHaveTextContent(/^20 windows in 5 episodes$/);
  });

  it('goes to an episode', () => {
    const { onZoom } = show();
    fireEvent.click(zooms()[0]);
    const { from, to } = PICKED.episodes[0];
    expect(onZoom).toHaveBeenCalledWith(from - 500, to + 500);
    expect(zooms()[0]).toHaveAccessibleName('Zoom to 09:00:00.800, 0.2 s, app');
  });

  it('offers at least one episode in a narrow panel', () => {
    show({ width: 200 });
    expect(zooms()).toHaveLength(1);
  });

  it('clears', () => {
    const { onClear } = show();
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(onClear).toHaveBeenCalledTimes(1);
  });
});
