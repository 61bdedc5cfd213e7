// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { fireEvent, render, screen } from '@testing-library/react';
import { Notice } from '../data/notice';
import { byGravity, Notices } from './Notices';

const INFO: Notice = { severity: 'info', text: '1 of 3 windows is shown.' };
const WARNING: Notice = { severity: 'warning', text: 'A is ignored.' };
const ERROR: Notice = { severity: 'error', text: 'Query gc: timed out' };

test('byGravity keeps the order of equals', () => {
  const other: Notice = { severity: 'info', text: 'other' };
  expect(byGravity([INFO, WARNING, other, ERROR])).toEqual([ERROR, WARNING, INFO, other]);
});

describe('Notices', () => {
  it('shows nothing when there is nothing to say', () => {
    render(<Notices notices={[]} />);
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('says the gravest in words and counts the others', () => {
    render(<Notices notices={[INFO, ERROR, WARNING]} />);
    expect(screen.getByRole('status')).toHaveTextContent(/^Query gc: timed out2 more$/);
    expect(screen.getByRole('img', { name: 'Error' })).toBeVisible();
    expect(screen.queryByText(INFO.text)).toBeNull();
  });

  it('shows all of them on focus', async () => {
    render(<Notices notices={[INFO, WARNING]} />);
    fireEvent.focus(screen.getByRole('button'));
    expect(await screen.findByText(INFO.text)).toBeVisible();
    expect(screen.getAllByText(WARNING.text)).toHaveLength(2);
  });
});
