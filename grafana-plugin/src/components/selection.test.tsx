// SPDX-License-Identifier: Apache-2.0
import { act, renderHook } from '@testing-library/react';
import { EventBusSrv } from '@grafana/data';
import { publishSelection, SelectionEvent, useSelection } from './selection';

const bus = new EventBusSrv();

jest.mock('@grafana/runtime', () => ({ getAppEvents: () => bus }));

const picked = { source: 3, episodes: [{ from: 1000, to: 1450 }] };

describe('selection', () => {
  it('reaches the other panels', () => {
    const { result } = renderHook(() => useSelection());
    expect(result.current).toBeNull();
    act(() => publishSelection(picked));
    expect(result.current).toEqual(picked);
  });

  it('goes by the name that panels agreed on', () => {
    expect(SelectionEvent.type).toBe('nstar-selection');
  });

  it('is no longer listened to once the panel is gone', () => {
    const { result, unmount } = renderHook(() => useSelection());
    unmount();
    publishSelection(picked);
    expect(result.current).toBeNull();
  });
});
