// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useRef, useState } from 'react';
import { Prometheus } from '../host/prometheus';
import { load, Loaded, Wanted } from './load';

interface State {
  /** The last answer; it stays on show while the next is on its way or fails. */
  loaded?: Loaded;
  /** Why there is no newer one. */
  failure?: string;
  loading: boolean;
}

/**
 * Loads the page at once when `want` changes, and again every `refresh` ms (0: never).
 *
 * @param want tells what to load at the moment of asking, because the range may end now
 */
export function useLoaded(server: Prometheus, want: () => Wanted, refresh: number): State & { reload: () => void } {
  const [state, setState] = useState<State>({ loading: true });
  const running = useRef<AbortController>(undefined);

  const reload = useCallback(async () => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setState((before) => ({ ...before, loading: true }));
    try {
      const loaded = await load(server, want(), mine.signal);
      if (!mine.signal.aborted) {
        setState({ loaded, loading: false });
      }
    } catch (error) {
      if (!mine.signal.aborted) {
        setState((before) => ({ ...before, failure: (error as Error).message, loading: false }));
      }
    } finally {
      if (running.current === mine) {
        running.current = undefined;
      }
    }
  }, [server, want]);

  useEffect(() => {
    reload();
    return () => running.current?.abort();
  }, [reload]);

  useEffect(() => {
    if (refresh <= 0) {
      return undefined;
    }
    const timer = setInterval(() => {
      // A server that is slower than the refresh would never get to answer; a hidden page needs no answer.
      if (!running.current && !document.hidden) {
        reload();
      }
    }, refresh);
    return () => clearInterval(timer);
  }, [reload, refresh]);

  return { ...state, reload };
}
