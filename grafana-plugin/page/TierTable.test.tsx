// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { render, screen, within } from '@testing-library/react';
import { TierNow } from './findings';
import { TierTable } from './TierTable';

const seen: TierNow = {
  tier: 'tomcat',
  instance: 'a:1',
  frozen: 0.07,
  saturated: 0.2,
  waiting: 0.31,
  unknown: 0,
  nStar: 7.4,
  nStarStatus: 'known',
  tpMax: 500,
};
const unseen: TierNow = {
  ...seen,
  frozen: null,
  saturated: null,
  waiting: null,
  unknown: null,
  nStar: null,
  nStarStatus: null,
  tpMax: null,
};

function cells(now: TierNow, failed: Array<[string, string]> = []) {
  render(<TierTable tiers={[now]} failed={new Map(failed)} />);
  const [, row] = screen.getAllByRole('row');
  return within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent?.replace('\u00a0', ' '));
}

describe('TierTable', () => {
  it('has what was recorded', () => {
    expect(cells(seen)).toEqual(['7 %', '20 %', '31 %', '0 %', '7.4', '500/s']);
  });

  it('says why there is no N*', () => {
    expect(cells({ ...unseen, nStarStatus: 'always_at_limit' })[4]).toBe('always at its limit');
  });

  it('has dashes for what was not recorded', () => {
    expect(cells(unseen)).toEqual(Array(6).fill('–'));
  });

  it('says what was not answered, and why', () => {
    const reason = 'query timed out';
    const queries = ['frozen', 'saturated', 'waiting', 'unknown', 'saturationPoint', 'maxThroughput'];
    const failed = queries.map((query): [string, string] => [query, reason]);
    expect(cells(unseen, failed)).toEqual(Array(6).fill('no answer'));
    expect(screen.getAllByTitle(`Query frozen: ${reason}`)).toHaveLength(1);
  });

  it('tells the servers of a tier apart', () => {
    render(<TierTable tiers={[seen, { ...seen, instance: 'b:1' }]} failed={new Map()} />);
    expect(screen.getByText('b:1')).toBeInTheDocument();
  });
});
