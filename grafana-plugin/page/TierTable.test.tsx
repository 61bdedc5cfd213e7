// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { render, screen, within } from '@testing-library/react';
import { TierNow } from './findings';
import { TierTable } from './TierTable';

const seen: TierNow = {
  tier: 'tomcat',
  instance: 'a:1',
  condition: 'frozen',
  saturated: 0.2,
  frozen: 0.07,
  saturationPoint: 7.4,
  maxThroughput: 500,
};
const unseen: TierNow = {
  ...seen,
  condition: 'unseen',
  saturated: null,
  frozen: null,
  saturationPoint: null,
  maxThroughput: null,
};

function cells(now: TierNow, failed: Array<[string, string]> = []) {
  render(<TierTable tiers={[now]} failed={new Map(failed)} />);
  const [, row] = screen.getAllByRole('row');
  return within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
}

describe('TierTable', () => {
  it('has what was recorded', () => {
    expect(cells(seen)).toEqual(['frozen', '20\u00a0%', '7\u00a0%', '7.4', '500/s']);
  });

  it('says what was not seen', () => {
    expect(cells(unseen)).toEqual(['never at its limit', '–', '–', 'not seen', '–']);
  });

  it('does not call unseen what was not answered, and says why', () => {
    const reason = 'query timed out';
    const failed = ['state', 'saturated', 'frozen', 'saturationPoint', 'maxThroughput'].map(
      (query): [string, string] => [query, reason]
    );
    expect(cells({ ...unseen, condition: 'unknown' }, failed)).toEqual(Array(5).fill('no answer'));
    expect(screen.getAllByTitle(`Query state: ${reason}`)).toHaveLength(1);
  });
});
