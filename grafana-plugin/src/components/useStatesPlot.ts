// SPDX-License-Identifier: Apache-2.0
import { RefObject, useEffect, useRef } from 'react';
import { Span } from '../draw/spans';
import { StatesEvents, StatesPlot } from '../draw/statesPlot';
import { StatesScene } from '../draw/statesScene';

const NONE: readonly Span[] = [];

/**
 * Keeps one plot for as long as the view lives and hands it each new scene.
 *
 * @param pointed time that another panel points to
 * @param spans what is selected in another panel
 * @returns where the plot is to be mounted
 */
export function useStatesPlot(
  scene: StatesScene,
  pointed: number | null,
  spans: readonly Span[] = NONE,
  events: StatesEvents
): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  const plot = useRef<StatesPlot | null>(null);
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  useEffect(() => {
    if (plot.current) {
      plot.current.update(scene);
    } else {
      plot.current = new StatesPlot(root.current!, scene, {
        onHover: (hover) => latest.current.onHover(hover),
        onZoom: (from, to) => latest.current.onZoom(from, to),
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
  useEffect(() => plot.current?.point(pointed), [pointed]);
  useEffect(() => plot.current?.highlight(spans), [spans]);
  return root;
}
