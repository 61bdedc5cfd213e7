// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { render, screen } from '@testing-library/react';
import { Empty } from './Empty';
import { EmptyReason } from './emptyReason';

function show(reason: EmptyReason, height = 300) {
  render(<Empty reason={reason} width={400} height={height} />);
  return screen.getByRole('status').textContent;
}

describe('Empty', () => {
  it('says which queries are missing, what they ask for and where they come from', () => {
    const text = show({ kind: 'unasked', queries: ['throughput'] });
    expect(screen.getByText('Queries missing: throughput')).toBeVisible();
    for (const needed of [
      'Bottlenecks',
      'last_over_time(nstar_window_own_queue_length[1ms])',
      'last_over_time(nstar_window_throughput[1ms])',
      'last_over_time(nstar_window_state[1ms])',
      'nstar_exporter',
      'nstar_windows',
    ]) {
      expect(text).toContain(needed);
    }
  });

  it('says that the range is empty', () => {
    expect(show({ kind: 'unanswered' })).toMatch(/^No data in this time range.*nstar_windows/);
  });

  it('says why nothing could be drawn, where that is known', () => {
    expect(show({ kind: 'unanswered', text: 'Give both the same step.' })).toMatch(/Give both the same step\.$/);
  });

  it('says what failed', () => {
    expect(show({ kind: 'failed', text: 'Query queue: timed out' })).toMatch(/^Query queue: timed out/);
    expect(screen.getByRole('img', { name: 'Error' })).toBeVisible();
  });

  it('has only the title in a low panel', () => {
    expect(show({ kind: 'unasked', queries: ['queue'] }, 60)).toBe('Queries missing: queue');
  });

  it('waits without alarm', () => {
    expect(show({ kind: 'loading' })).toBe('Loading…');
    expect(screen.queryByRole('img')).toBeNull();
  });
});
