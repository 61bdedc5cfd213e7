// SPDX-License-Identifier: Apache-2.0
import { act, renderHook } from '@testing-library/react';
import { EventBusSrv } from '@grafana/data';
import { publishSelection, Selection, SelectionEvent, useSelection } from './selection';

const bus = new EventBusSrv();

jest.mock('@grafana/runtime', () => ({ getAppEvents: () => bus }));

const picked = { source: 'one', episodes: [{ from: 1000, to: 1450 }] };
const other = { source: 'other', episodes: [{ from: 500, to: 550 }] };

function listen() {
  const { result, unmount } = renderHook(() => useSelection());
  return {
    spans: () => result.current,
    unmount,
    hear: (selection: Selection) => act(() => publishSelection(selection)),
  };
}

describe('selection', () => {
  it('reaches the other panels', () => {
    const { spans, hear } = listen();
    expect(spans()).toEqual([]);
    hear(picked);
    expect(spans()).toEqual(picked.episodes);
  });

  it('is that of all panels, each as it was last', () => {
    const { spans, hear } = listen();
    hear({ ...picked, episodes: [{ from: 1, to: 2 }] });
    hear(other);
    hear(picked);
    expect(new Set(spans())).toEqual(new Set([...picked.episodes, ...other.episodes]));
  });

  it('keeps what the others have when one panel lets go of its own', () => {
    const { spans, hear } = listen();
    hear(picked);
    hear(other);
    hear({ ...picked, episodes: [] });
    expect(spans()).toEqual(other.episodes);
    hear({ ...other, episodes: [] });
    expect(spans()).toEqual([]);
  });

  it('goes by the name that panels agreed on', () => {
    expect(SelectionEvent.type).toBe('nstar-selection');
  });

  it('is no longer listened to once the panel is gone', () => {
    const { spans, unmount } = listen();
    unmount();
    publishSelection(picked);
    expect(spans()).toEqual([]);
  });
});
