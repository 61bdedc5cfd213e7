// SPDX-License-Identifier: Apache-2.0
import { act, renderHook } from '@testing-library/react';
import { useSlow } from './useSlow';

it('tells what takes long, and forgets it when it is over', () => {
  jest.useFakeTimers();
  const { result, rerender } = renderHook(({ going }) => useSlow(going, 700), { initialProps: { going: true } });
  act(() => jest.advanceTimersByTime(600));
  expect(result.current).toBe(false);
  act(() => jest.advanceTimersByTime(200));
  expect(result.current).toBe(true);
  rerender({ going: false });
  expect(result.current).toBe(false);

  rerender({ going: true });
  act(() => jest.advanceTimersByTime(600));
  rerender({ going: false });
  act(() => jest.advanceTimersByTime(600));
  expect(result.current).toBe(false);
  jest.useRealTimers();
});
