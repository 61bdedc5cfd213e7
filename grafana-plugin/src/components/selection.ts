// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from 'react';
import { BusEventWithPayload } from '@grafana/data';
import { getAppEvents } from '@grafana/runtime';
import { Span } from '../draw/spans';

/** Spans of time that were picked in one panel and that the others may point out. */
export interface Selection {
  /** Names the panel in which they were picked; repeated panels may share their id, so it is not that. */
  source: string;
  /** ms since the epoch; none after the selection was cleared. */
  episodes: readonly Span[];
}

/** Sends the selection to the other panels of the dashboard. */
export class SelectionEvent extends BusEventWithPayload<Selection> {
  static type = 'nstar-selection';
}

export function publishSelection(selection: Selection) {
  getAppEvents().publish(new SelectionEvent(selection));
}

/** The selection in any of the panels: if each panel shows one tier, windows are picked in several. */
export function useSelection(): readonly Span[] {
  const [bySource, setBySource] = useState<ReadonlyMap<string, readonly Span[]>>(new Map());
  useEffect(() => {
    const subscription = getAppEvents().subscribe(SelectionEvent, ({ payload: { source, episodes } }) =>
      setBySource((known) => new Map(known).set(source, episodes))
    );
    return () => subscription.unsubscribe();
  }, []);
  return useMemo(() => [...bySource.values()].flat(), [bySource]);
}
