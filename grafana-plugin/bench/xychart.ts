// SPDX-License-Identifier: Apache-2.0
//
// How Grafana's own XY chart puts points on the canvas, written anew for comparison: uPlot with a series of x and y
// each (mode 2); for every point a path of its own, a fill and a stroke, a change of style where the colour differs
// from the last one, and an entry in a quadtree for the pointer. The colour goes by state, as one would set it up by a
// value mapping. Turning windows into series, sizes and colours is not counted: its panel has them when it draws.
import uPlot from 'uplot';
import { fade, stateColour, tierColour } from '../src/draw/colour';
import { extent } from '../src/model/extent';
import { State } from '../src/model/state';
import { Picture } from '../src/model/tier';
import { Quadtree } from './quadtree';
import { Way } from './way';

const SIZE = 5;
const STROKE = 1;
const DARK = { isDark: true };

type Series = [x: ArrayLike<number>, y: ArrayLike<number>, size: number[], colour: string[]];

const made = new WeakMap<Picture, uPlot.AlignedData>();

/** Series as the panel hands them to uPlot: sizes and colours by point. Made once for each picture. */
function seriesOf(picture: Picture): uPlot.AlignedData {
  const series = made.get(picture) ?? makeSeries(picture);
  made.set(picture, series);
  return series;
}

function makeSeries({ tiers }: Picture): uPlot.AlignedData {
  const series = tiers.map((tier, t): Series => {
    const size = new Array<number>(tier.time.length).fill(SIZE);
    const colour = Array.from(tier.state, (of) =>
      of === State.Frozen ? stateColour(State.Frozen, DARK) : tierColour(t, DARK)
    );
    return [Array.from(tier.queue), Array.from(tier.throughput), size, colour];
  });
  return [null, ...series] as unknown as uPlot.AlignedData;
}

function points(tree: () => Quadtree): uPlot.Series.PathBuilder {
  return (plot, seriesIndex) => {
    const [xs, ys, sizes, colours] = plot.data[seriesIndex] as unknown as Series;
    uPlot.orient(plot, seriesIndex, (_series, _x, _y, scaleX, scaleY, toX, toY, left, top, width, height) => {
      const { ctx } = plot;
      const xScale = scaleX as uPlot.Scale & { min: number; max: number };
      const yScale = scaleY as uPlot.Scale & { min: number; max: number };
      ctx.save();
      ctx.beginPath();
      ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
      ctx.clip();
      ctx.lineWidth = STROKE;
      let last: string | null = null;
      for (let i = 0; i < xs.length; i++) {
        if (xs[i] < xScale.min || xs[i] > xScale.max || ys[i] < yScale.min || ys[i] > yScale.max) {
          continue;
        }
        const size = sizes[i] * uPlot.pxRatio;
        const x = toX(xs[i], scaleX, width, left);
        const y = toY(ys[i], scaleY, height, top);
        ctx.beginPath();
        ctx.arc(x, y, size / 2, 0, 2 * Math.PI);
        if (colours[i] !== last) {
          last = colours[i];
          ctx.fillStyle = fade(last, 0.5);
          ctx.strokeStyle = last;
        }
        ctx.fill();
        ctx.stroke();
        const box = size + STROKE;
        tree().add({
          x: x - box / 2 - left,
          y: y - box / 2 - top,
          width: box,
          height: box,
          series: seriesIndex,
          index: i,
        });
      }
      ctx.restore();
    });
    return null;
  };
}

export const xychart: Way = {
  name: 'XY chart way',
  prepare: seriesOf,
  start(root, picture, width, height) {
    let reach = extent(picture.tiers, false);
    let tree = new Quadtree(0, 0, width, height);
    const paths = points(() => tree);
    const axis = { stroke: '#9d9da8', grid: { stroke: 'rgba(204,204,220,0.12)', width: 1 } };
    const plot = new uPlot(
      {
        ...{ width, height, mode: 2 as uPlot.Mode, legend: { show: false } },
        scales: {
          x: { time: false, range: () => [0, reach.queue] },
          y: { range: () => [0, reach.throughput] },
        },
        axes: [axis, axis],
        cursor: { points: { show: false } },
        series: [
          null as unknown as uPlot.Series,
          ...picture.tiers.map(() => ({
            facets: [
              { scale: 'x', auto: true },
              { scale: 'y', auto: true },
            ],
            paths,
          })),
        ],
        hooks: { drawClear: [() => (tree = new Quadtree(0, 0, width, height))] },
      },
      seriesOf(picture),
      root
    );
    return {
      canvas: () => root.querySelector('canvas')!,
      update(next) {
        reach = extent(next.tiers, false);
        plot.setData(seriesOf(next));
      },
      destroy: () => plot.destroy(),
    };
  },
};
