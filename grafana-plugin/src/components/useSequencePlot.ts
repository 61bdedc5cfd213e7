// SPDX-License-Identifier: Apache-2.0
import { RefObject, useEffect, useRef } from 'react';
import { SequencePlot } from '../draw/sequencePlot';
import { Hit, SequenceEvents, SequenceScene } from '../draw/sequenceScene';

/**
 * Keeps one plot for as long as the view lives and hands it each new scene.
 *
 * @param marks windows to point out
 * @returns where the plot is to be mounted
 */
export function useSequencePlot(
  scene: SequenceScene,
  marks: readonly Hit[],
  events: SequenceEvents
): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  const plot = useRef<SequencePlot | null>(null);
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  useEffect(() => {
    if (plot.current) {
      plot.current.update(scene);
    } else {
      plot.current = new SequencePlot(root.current!, scene, {
        onHover: (hover) => latest.current.onHover(hover),
        onBrush: (within) => latest.current.onBrush(within),
        onClear: () => latest.current.onClear(),
      });
    }
  }, [scene]);
  useEffect(
    () => () => {
      plot.current?.destroy();
      plot.current = null;
    },
    []
  );
  useEffect(() => {
    plot.current?.mark(marks);
  }, [marks]);
  return root;
}
