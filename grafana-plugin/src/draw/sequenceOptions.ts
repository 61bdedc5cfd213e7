// SPDX-License-Identifier: Apache-2.0
import uPlot from 'uplot';
import { Extent } from '../model/extent';
import { queueMarks } from '../model/queueMarks';
import { QueueKind } from '../model/tier';
import { dragBeyond } from './dragBeyond';
import { markSpace } from './markSpace';
import { SequenceScene } from './sequenceScene';

/** The values that the options read each time uPlot draws, so that theme and data can change without a new plot. */
export interface Source {
  scene: SequenceScene;
  extent: Extent;
}

export interface SequenceHooks {
  draw(plot: uPlot): void;
  setCursor(plot: uPlot): void;
  setSelect(plot: uPlot): void;
  clear(): void;
}

const THROUGHPUT_SPACE = 32;
const FONT = 11;
const LABEL_FONT = 12;
/** Room at the top and on the right, because the marker of a window and the last number of an axis stick out there. */
const PADDING: uPlot.Padding = [10, 18, 0, 0];
/** Plots lower than this have no room for the names of the axes. */
const NAMES_FROM = 160;

const QUEUE_NAMES: Record<QueueKind, string> = {
  own: 'own queue length (requests)',
  total: 'queue length (requests)',
};

export function hasNames(height: number): boolean {
  return height >= NAMES_FROM;
}

/** uPlot draws axes, grid, crosshair and brush; it is given no data but the ends of the axes. */
export function sequenceOptions(source: Source, hooks: SequenceHooks): uPlot.Options {
  const { width, height, log, theme } = source.scene;
  const named = hasNames(height);
  const axis = {
    font: `${FONT}px ${theme.fontFamily}`,
    labelFont: `${LABEL_FONT}px ${theme.fontFamily}`,
    labelSize: 20,
    labelGap: 2,
    gap: 4,
    stroke: () => source.scene.theme.faintText,
    grid: { stroke: () => source.scene.theme.grid, width: 1 },
    ticks: { stroke: () => source.scene.theme.grid, width: 1, size: 4 },
    values: (_: uPlot, splits: number[]) => splits.map((value) => source.scene.numberFormat(value)),
  };
  return {
    width,
    height,
    padding: PADDING,
    legend: { show: false },
    scales: {
      x: { time: false, distr: log ? 4 : 1, range: () => [0, source.extent.queue] },
      y: { range: () => [0, source.extent.throughput] },
    },
    series: [{}, { paths: () => null, points: { show: false } }],
    axes: [
      {
        ...axis,
        label: named ? QUEUE_NAMES[source.scene.queueKind] : undefined,
        size: 26,
        space: (_plot, _axis, _min, max, length) => markSpace(max, length),
        filter: (_, splits) => splits,
        ...(log && { splits: (plot) => logMarks(source.extent.queue, plotWidth(plot)) }),
      },
      {
        ...axis,
        label: named ? 'throughput (requests/s)' : undefined,
        size: (_plot, values) => 16 + 7 * Math.max(1, ...(values ?? []).map((value) => value?.length ?? 0)),
        space: THROUGHPUT_SPACE,
      },
    ],
    cursor: {
      points: { show: false },
      drag: { x: true, y: true, setScale: false, dist: 4 },
      bind: {
        dblclick: () => () => {
          hooks.clear();
          return null;
        },
      },
    },
    plugins: [dragBeyond()],
    hooks: { draw: [hooks.draw], setCursor: [hooks.setCursor], setSelect: [hooks.setSelect] },
  };
}

function logMarks(max: number, length: number): number[] {
  return queueMarks(max, length, markSpace(max, length));
}

/** Width of the plotting area, CSS pixels; about that before it is known. */
function plotWidth(plot: uPlot): number {
  return plot.bbox ? plot.bbox.width / uPlot.pxRatio : plot.width;
}
