// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { render, screen, within } from '@testing-library/react';
import { Charge } from './findings';
import { TimeBar } from './TimeBar';

const CHARGES: Charge[] = [
  { tier: 'httpd', cause: 'work', seconds: 0.0009, tail: null },
  { tier: 'tomcat', cause: 'garbage_collection', seconds: 0.18, tail: 0.74 },
  { tier: 'tomcat', cause: 'work', seconds: 0.02, tail: null },
];

function show(charges: Charge[]) {
  const place = new Map([['httpd', 0], ['tomcat', 1]]); // prettier-ignore
  const { container } = render(<TimeBar charges={charges} place={place} cause={(cause) => cause.replace('_', ' ')} />);
  return { segments: [...container.querySelectorAll<HTMLElement>('[aria-hidden] > span')] };
}

const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent?.replace('\u00a0', ' ')));

describe('TimeBar', () => {
  it('divides the bar by time', () => {
    const { segments } = show(CHARGES);
    const shares = segments.map(({ style }) => Number(style.flexGrow));
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1);
    expect(shares[1]).toBeCloseTo(0.18 / 0.2009);
    const [, collection, work] = segments.map(({ style }) => style.background);
    expect(collection).not.toBe(work);
  });

  it('lists what takes more than a trifle, the longest first', () => {
    show(CHARGES);
    expect(rows()).toEqual([
      ['tomcat', 'garbage collection', '180 ms', '74 %'],
      ['tomcat', 'work', '20 ms', '–'],
    ]);
  });

  it('has no column for the worst moments where they are not known', () => {
    show(CHARGES.map((charge) => ({ ...charge, tail: null })));
    const [head] = screen.getAllByRole('row');
    expect(within(head).getAllByRole('columnheader')).toHaveLength(3);
  });
});
