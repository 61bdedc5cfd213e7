// SPDX-License-Identifier: Apache-2.0
import { RefObject, useEffect } from 'react';
import { Span } from '../draw/spans';
import { StatesEvents, StatesPlot } from '../draw/statesPlot';
import { StatesScene } from '../draw/statesScene';
import { usePlot } from './usePlot';

const make = (root: HTMLElement, scene: StatesScene, latest: () => StatesEvents) =>
  new StatesPlot(root, scene, {
    onHover: (hover) => latest().onHover(hover),
    onZoom: (from, to) => latest().onZoom(from, to),
  });

/**
 * The plot of the time lines.
 *
 * @param pointed time that another panel points to
 * @param spans what is selected in another panel
 * @returns where the plot is to be mounted
 */
export function useStatesPlot(
  scene: StatesScene,
  pointed: number | null,
  spans: readonly Span[],
  events: StatesEvents
): RefObject<HTMLDivElement | null> {
  const { root, plot } = usePlot(scene, events, make);
  useEffect(() => plot.current?.point(pointed), [plot, pointed]);
  useEffect(() => plot.current?.highlight(spans), [plot, spans]);
  return root;
}
