// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useId, useMemo, useState } from 'react';
import { findAgain, pick, Picked } from '../model/picked';
import { Picture, Tier } from '../model/tier';
import { publishSelection } from './selection';

const TAKES_ESCAPE = 'input, textarea, select, [role="dialog"], [role="menu"], [role="listbox"]';

export interface Picking {
  /** null while nothing is picked. */
  picked: Picked | null;
  /** Picks windows of the given tiers: flags by tier and window, 1 for those picked. */
  choose(tiers: readonly Tier[], flags: readonly Uint8Array[]): void;
  clear(): void;
}

/** The windows that were picked in a panel; the other panels are told. They are forgotten when none of them is left. */
export function usePicked(picture: Picture): Picking {
  const source = useId();
  const [picked, setPicked] = useState<Picked | null>(null);
  const choose = useCallback(
    (tiers: readonly Tier[], flags: readonly Uint8Array[]) => setPicked(pick(tiers, flags, picture)),
    [picture]
  );
  const clear = useCallback(() => setPicked(null), []);

  const gone = useMemo(() => picked !== null && findAgain(picked, picture.tiers) === null, [picked, picture]);
  if (gone) {
    setPicked(null);
  }

  useEffect(() => {
    if (picked) {
      publishSelection({ source, episodes: picked.episodes.map(({ from, to }) => ({ from, to })) });
      return () => publishSelection({ source, episodes: [] });
    }
    return undefined;
  }, [picked, source]);

  useEffect(() => {
    if (!picked) {
      return undefined;
    }
    // before the dashboard, in which Escape leaves a panel that fills the screen
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !ownsEscape(event.target)) {
        event.stopPropagation();
        clear();
      }
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [picked, clear]);

  return { picked, choose, clear };
}

/** Whether Escape has a meaning for the element with the focus. */
function ownsEscape(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TAKES_ESCAPE) !== null;
}
