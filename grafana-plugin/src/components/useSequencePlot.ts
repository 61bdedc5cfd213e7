// SPDX-License-Identifier: Apache-2.0
import { RefObject, useEffect } from 'react';
import { SequencePlot } from '../draw/sequencePlot';
import { Hit, SequenceEvents, SequenceScene } from '../draw/sequenceScene';
import { usePlot } from './usePlot';

const make = (root: HTMLElement, scene: SequenceScene, latest: () => SequenceEvents) =>
  new SequencePlot(root, scene, {
    onHover: (hover) => latest().onHover(hover),
    onBrush: (within) => latest().onBrush(within),
    onClear: () => latest().onClear(),
  });

/**
 * The plot of the main sequence.
 *
 * @param marks windows to point out
 * @returns where the plot is to be mounted
 */
export function useSequencePlot(
  scene: SequenceScene,
  marks: readonly Hit[],
  events: SequenceEvents
): RefObject<HTMLDivElement | null> {
  const { root, plot } = usePlot(scene, events, make);
  useEffect(() => {
    plot.current?.mark(marks);
  }, [plot, marks]);
  return root;
}
