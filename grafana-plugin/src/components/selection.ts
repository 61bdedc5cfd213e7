// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'react';
import { BusEventWithPayload } from '@grafana/data';
import { getAppEvents } from '@grafana/runtime';

/** Spans of time that were picked in one panel and that the others may point out. */
export interface Selection {
  /** Id of the panel in which they were picked. */
  source: number;
  /** Ascending, ms since the epoch; none after the selection was cleared. */
  episodes: Array<{ from: number; to: number }>;
}

/** Tells the other panels of the dashboard what was selected. */
export class SelectionEvent extends BusEventWithPayload<Selection> {
  static type = 'nstar-selection';
}

export function publishSelection(selection: Selection) {
  getAppEvents().publish(new SelectionEvent(selection));
}

/** What was selected last in any panel; null before anything was. */
export function useSelection(): Selection | null {
  const [selection, setSelection] = useState<Selection | null>(null);
  useEffect(() => {
    const subscription = getAppEvents().subscribe(SelectionEvent, (event) => setSelection(event.payload));
    return () => subscription.unsubscribe();
  }, []);
  return selection;
}
