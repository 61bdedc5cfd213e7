// SPDX-License-Identifier: Apache-2.0
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { LaneCanvas } from './laneCanvas';
import { SpanOverlay } from './spanOverlay';
import { Span, spanBoxes } from './spans';
import { LanePreparer, StatesScene } from './statesScene';
import { INCREMENTS, labelWidth, tickLabels, tickPattern, tickSpace } from './timeAxis';

/** Height of the time axis, CSS pixels. */
export const AXIS_HEIGHT = 24;
/** Room above the lanes and to their right, because the last label of the axis sticks out there. */
export const TOP = 4;
export const RIGHT = 16;

/** The pointer over the lanes; x and y are CSS pixels of the plot. */
export interface Hover {
  time: number;
  /** How much time a pixel shows, ms. */
  perPixel: number;
  x: number;
  y: number;
}

export interface StatesEvents {
  /** null when the pointer leaves. */
  onHover(hover: Hover | null): void;
  onZoom(from: number, to: number): void;
}

/** Time lines on a canvas: uPlot does the axis, the crosshair and the drag; the lanes are drawn over its empty plot. */
export class StatesPlot {
  private readonly plot: uPlot;
  private readonly lanes = new LaneCanvas();
  private readonly preparer = new LanePreparer();
  private readonly overlay: SpanOverlay;
  private spans: readonly Span[] = [];
  /** The time to which another panel points. */
  private pointed: number | null = null;
  private inside = false;
  private alive = true;

  constructor(
    root: HTMLElement,
    private scene: StatesScene,
    private readonly events: StatesEvents
  ) {
    this.plot = new uPlot(this.options(), [[scene.from, scene.to]], root);
    this.overlay = new SpanOverlay(this.plot.over);
    // a font that is still on its way is written in another until then
    document.fonts?.ready.then(() => this.alive && this.plot.redraw(false, true));
    this.plot.over.addEventListener('mouseenter', () => (this.inside = true));
    this.plot.over.addEventListener('mouseleave', () => {
      this.inside = false;
      this.events.onHover(null);
    });
  }

  /** Shows another scene in the same plot. */
  update(scene: StatesScene) {
    const old = this.scene;
    this.scene = scene;
    this.plot.batch(() => {
      if (scene.width !== old.width || scene.height !== old.height) {
        this.plot.setSize({ width: scene.width, height: scene.height });
      }
      if (scene.from !== old.from || scene.to !== old.to) {
        this.plot.setData([[scene.from, scene.to]], false);
        this.plot.setScale('x', { min: scene.from, max: scene.to });
      }
      this.plot.redraw(false, true);
    });
    this.point(this.pointed);
  }

  /** Moves the crosshair to a time that another panel points to; null takes it away. */
  point(time: number | null) {
    this.pointed = time;
    if (this.inside) {
      return;
    }
    const { from, to } = this.scene;
    const shown = time !== null && time >= from && time <= to;
    const left = shown ? this.plot.valToPos(time, 'x') : -10;
    this.plot.setCursor({ left, top: shown ? 0 : -10 }, false);
  }

  /** Points out spans of time. */
  highlight(spans: readonly Span[]) {
    this.spans = spans;
    this.drawSpans();
  }

  destroy() {
    this.alive = false;
    this.plot.destroy();
  }

  private options(): uPlot.Options {
    const { scene } = this;
    return {
      width: scene.width,
      height: scene.height,
      ms: 1,
      tzDate: (ms) => this.scene.zoned(ms),
      padding: [TOP, RIGHT, 0, () => this.scene.gutter] as uPlot.Padding,
      legend: { show: false },
      series: [{}],
      scales: { x: { time: true, range: () => [this.scene.from, this.scene.to] } },
      axes: [
        {
          size: AXIS_HEIGHT,
          font: `11px ${scene.theme.fontFamily}`,
          stroke: () => this.scene.theme.faintText,
          grid: { stroke: () => this.scene.theme.grid, width: 1 },
          ticks: { stroke: () => this.scene.theme.grid, width: 1, size: 4 },
          incrs: INCREMENTS,
          space: (_plot, _axis, min, max, width) => tickSpace(max - min, width),
          values: (plot, splits, _axis, _space, increment) => this.labels(plot, splits, increment),
        },
      ],
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: 4 },
        // the time range is the dashboard's: a double click has nothing to reset here
        bind: { dblclick: () => () => null },
      },
      hooks: {
        draw: [(plot) => this.draw(plot)],
        setCursor: [(plot) => this.hovered(plot)],
        setSelect: [(plot) => this.selected(plot)],
      },
    };
  }

  /** Labels that would stick out at the right are left out rather than cut. */
  private labels(plot: uPlot, splits: number[], increment: number) {
    const end = this.scene.width - labelWidth(tickPattern(increment)) / 2;
    const left = plot.bbox.left / uPlot.pxRatio;
    const labels = tickLabels(splits, increment, this.scene.timeFormat);
    return labels.map((label, i) => (left + plot.valToPos(splits[i], 'x') > end ? '' : label));
  }

  private draw(plot: uPlot) {
    const { left, top, width, height } = plot.bbox;
    const area = { left, top, width: Math.round(width), height: Math.round(height), ratio: uPlot.pxRatio };
    if (area.width < 1 || area.height < 1) {
      return; // a panel that is all gutter and axis
    }
    this.lanes.draw(plot.ctx, area, this.scene, this.preparer.prepare(this.scene, area.width));
    this.drawSpans();
  }

  private drawSpans() {
    const { from, to, theme } = this.scene;
    const { clientWidth, clientHeight } = this.plot.over;
    this.overlay.draw(
      spanBoxes(this.spans, from, to, clientWidth),
      clientWidth,
      clientHeight,
      uPlot.pxRatio,
      theme.text
    );
  }

  private hovered(plot: uPlot) {
    const { left = -1, top = -1 } = plot.cursor;
    if (!this.inside || left < 0) {
      return;
    }
    const time = plot.posToVal(left, 'x');
    const perPixel = plot.posToVal(left + 1, 'x') - time;
    const { bbox } = plot;
    this.events.onHover({ time, perPixel, x: left + bbox.left / uPlot.pxRatio, y: top + bbox.top / uPlot.pxRatio });
  }

  private selected(plot: uPlot) {
    const { left, width } = plot.select;
    if (width > 0) {
      plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      this.events.onZoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
    }
  }
}
