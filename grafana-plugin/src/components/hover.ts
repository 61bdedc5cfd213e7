// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'react';
import { DashboardCursorSync, DataHoverClearEvent, DataHoverEvent, EventBus } from '@grafana/data';
import { usePanelContext } from '@grafana/ui';

/** Tells the other panels which time the pointer is at; null when it has left. */
export function publishTime(eventBus: EventBus, time: number | null) {
  eventBus.publish(time === null ? new DataHoverClearEvent() : new DataHoverEvent({ point: { time } }));
}

/** The time that the pointer is at in another panel, ms; null if at none, or if the dashboard shares no crosshair. */
export function useSharedTime(eventBus: EventBus): number | null {
  const { sync } = usePanelContext();
  const apart = sync?.() === DashboardCursorSync.Off;
  const [time, setTime] = useState<number | null>(null);
  useEffect(() => {
    const own = (event: { origin?: EventBus }) => event.origin === eventBus;
    const moved = eventBus.subscribe(DataHoverEvent, (event) => {
      const at = event.payload.point?.time;
      if (!own(event)) {
        setTime(typeof at === 'number' ? at : null);
      }
    });
    const left = eventBus.subscribe(DataHoverClearEvent, (event) => {
      if (!own(event)) {
        setTime(null);
      }
    });
    return () => {
      moved.unsubscribe();
      left.unsubscribe();
    };
  }, [eventBus]);
  return apart ? null : time;
}
