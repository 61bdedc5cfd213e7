// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { render, screen } from '@testing-library/react';
import { Tooltip } from './Tooltip';

const ROWS = [
  { label: 'Tier', value: 'tomcat', colour: '#4aa3ff' },
  { label: 'Queue length', value: '12.5' },
];

function show(x: number, y: number) {
  render(<Tooltip x={x} y={y} width={600} height={300} title="05:53:10.150" rows={ROWS} />);
  return screen.getByRole('tooltip');
}

beforeEach(() => {
  jest.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(200);
  jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(100);
});

afterEach(() => jest.restoreAllMocks());

describe('Tooltip', () => {
  it('shows its title and rows', () => {
    show(10, 10);
    expect(screen.getByText('05:53:10.150')).toBeInTheDocument();
    expect(screen.getByText('Queue length').nextElementSibling).toHaveTextContent('12.5');
  });

  it('stands beside the pointer', () => {
    expect(show(100, 50)).toHaveStyle({ left: '112px', top: '62px' });
  });

  it('flips at the edges of the panel', () => {
    expect(show(550, 280)).toHaveStyle({ left: '338px', top: '168px' });
  });
});
