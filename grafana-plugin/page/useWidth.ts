// SPDX-License-Identifier: Apache-2.0
import { RefObject, useLayoutEffect, useState } from 'react';

/**
 * Width of an element in whole pixels, as it changes; 0 before it is known. An element that is invisible for a
 * moment keeps its width, so that its drawing keeps its state.
 */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth((before) => Math.floor(entry.contentRect.width) || before)
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
