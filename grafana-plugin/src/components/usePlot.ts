// SPDX-License-Identifier: Apache-2.0
import { RefObject, useEffect, useRef } from 'react';

/** A plot that can show another scene without being created again. */
interface Plot<Scene> {
  update(scene: Scene): void;
  destroy(): void;
}

/**
 * Keeps one plot for as long as the view lives and hands it each new scene.
 *
 * @param make mounts the plot; gets the latest events through a function, because handlers change while the plot
 * stays
 * @returns where the plot is to be mounted, and the plot once it is
 */
export function usePlot<Scene, Events, P extends Plot<Scene>>(
  scene: Scene,
  events: Events,
  make: (root: HTMLElement, scene: Scene, latest: () => Events) => P
): { root: RefObject<HTMLDivElement | null>; plot: RefObject<P | null> } {
  const root = useRef<HTMLDivElement>(null);
  const plot = useRef<P | null>(null);
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  useEffect(() => {
    if (plot.current) {
      plot.current.update(scene);
    } else {
      plot.current = make(root.current!, scene, () => latest.current);
    }
  }, [scene, make]);
  useEffect(
    () => () => {
      plot.current?.destroy();
      plot.current = null;
    },
    []
  );
  return { root, plot };
}
