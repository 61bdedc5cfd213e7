// SPDX-License-Identifier: Apache-2.0
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { Extent, extent } from '../model/extent';
import { State } from '../model/state';
import { Tier } from '../model/tier';
import { stateColour } from './colour';
import { MarkOverlay } from './markOverlay';
import { Frame } from './points';
import { ScatterLayer } from './scatterLayer';
import { drawLabels } from './sequenceLabels';
import { drawCurves, drawLimits } from './sequenceLines';
import { hasNames, sequenceOptions, Source } from './sequenceOptions';
import { Hit, SequenceEvents, SequenceScene } from './sequenceScene';

/** Nothing selected, in uPlot's terms. */
const NO_SELECT = { left: 0, top: 0, width: 0, height: 0 };

/** The main sequence on a canvas: uPlot does axes, crosshair and brush, the rest is drawn over its empty plot. */
export class SequencePlot implements Source {
  extent: Extent;
  private plot: uPlot;
  private overlay: MarkOverlay;
  private readonly layer = new ScatterLayer();
  /** Windows that are pointed out. */
  private marks: readonly Hit[] = [];
  /** The window at the pointer. */
  private hovered: { of: Tier; index: number } | null = null;

  constructor(
    private readonly root: HTMLElement,
    public scene: SequenceScene,
    private readonly events: SequenceEvents
  ) {
    this.extent = extentOf(scene);
    [this.plot, this.overlay] = this.create();
  }

  /** Shows another scene. Only other axes take a new plot. */
  update(scene: SequenceScene) {
    const old = this.scene;
    this.scene = scene;
    if (scene.tiers !== old.tiers || scene.showCurve !== old.showCurve) {
      this.extent = extentOf(scene);
    }
    if (scene.log !== old.log || scene.queueKind !== old.queueKind || hasNames(scene.height) !== hasNames(old.height)) {
      this.plot.destroy();
      [this.plot, this.overlay] = this.create();
      return;
    }
    this.describe();
    this.plot.batch(() => {
      if (scene.width !== old.width || scene.height !== old.height) {
        this.plot.setSize({ width: scene.width, height: scene.height });
      }
      this.plot.setData(endsOf(this.extent), true);
    });
    // the pointer stays at its place, but perhaps on another window
    this.point(this.plot);
  }

  /** Points windows out, the first one most. */
  mark(hits: readonly Hit[]) {
    this.marks = hits;
    this.drawMarks();
  }

  destroy() {
    this.plot.destroy();
  }

  private create(): [uPlot, MarkOverlay] {
    const options = sequenceOptions(this, {
      draw: (plot) => this.draw(plot),
      setCursor: (plot) => this.point(plot),
      setSelect: (plot) => this.brushed(plot),
      clear: () => this.events.onClear(),
    });
    const plot = new uPlot(options, endsOf(this.extent), this.root);
    plot.over.addEventListener('mouseleave', () => this.hover(null));
    this.plot = plot;
    this.describe();
    return [plot, new MarkOverlay(plot.over)];
  }

  private describe() {
    const { canvas } = this.plot.ctx;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', this.scene.description);
  }

  private draw(plot: uPlot) {
    const { ctx, bbox } = plot;
    const { scene } = this;
    const { tiers, theme } = scene;
    const ratio = uPlot.pxRatio;
    const left = Math.round(bbox.left);
    const top = Math.round(bbox.top);
    const frame: Frame = {
      width: Math.round(bbox.width),
      height: Math.round(bbox.height),
      extent: this.extent,
      log: scene.log,
    };
    if (frame.width < 1 || frame.height < 1) {
      return;
    }
    this.layer.draw(ctx, left, top, scene, frame, ratio);
    ctx.save();
    ctx.translate(left, top);
    drawLimits(ctx, tiers, frame, theme.background, ratio);
    if (scene.showCurve) {
      drawCurves(ctx, tiers, frame, theme.background, ratio);
    }
    drawLabels(ctx, tiers, this.layer.points, frame, theme, ratio);
    ctx.restore();
    this.drawMarks();
  }

  private drawMarks() {
    const { tiers, theme } = this.scene;
    const there = this.marks.filter(({ tier, index }) => tier < tiers.length && index < tiers[tier].tier.time.length);
    const marks = there.map((hit, i) => {
      const { tier, colour } = tiers[hit.tier];
      const frozen = tier.state[hit.index] === State.Frozen;
      return {
        ...this.layer.placeOfHit(hit),
        colour: frozen ? stateColour(State.Frozen, theme) : colour,
        main: i === 0,
      };
    });
    const ratio = uPlot.pxRatio;
    const { width, height } = this.plot.bbox;
    this.overlay?.draw(marks, width / ratio, height / ratio, ratio, theme.background);
  }

  /** Finds the window at the pointer. */
  private point(plot: uPlot) {
    const { left = -1, top = -1 } = plot.cursor;
    const brushing = plot.select.width > 0 || plot.select.height > 0;
    this.hover(left < 0 || brushing ? null : this.layer.hit(left, top));
  }

  private hover(hit: Hit | null) {
    const { hovered, plot } = this;
    const sameTier = hit && hovered && this.scene.tiers[hit.tier].tier === hovered.of;
    if ((!hit && !hovered) || (sameTier && hit.index === hovered.index)) {
      return;
    }
    this.hovered = hit && { of: this.scene.tiers[hit.tier].tier, index: hit.index };
    if (hit) {
      const { x, y } = this.layer.placeOfHit(hit);
      const { left, top } = plot.bbox;
      this.events.onHover({ hit, x: x + left / uPlot.pxRatio, y: y + top / uPlot.pxRatio });
    } else {
      this.events.onHover(null);
    }
  }

  private brushed(plot: uPlot) {
    const { left, top, width, height } = plot.select;
    // whatever is left of it would count as a brush that goes on
    plot.setSelect(NO_SELECT, false);
    if (width <= 0 && height <= 0) {
      return;
    }
    // half a pixel more: a straight brush has an inside, and one that reaches an axis has the windows on it
    this.events.onBrush(this.layer.within(left - 0.5, top - 0.5, left + width + 0.5, top + height + 0.5));
  }
}

function extentOf(scene: SequenceScene): Extent {
  return extent(
    scene.tiers.map(({ tier }) => tier),
    scene.showCurve
  );
}

/** The only data that uPlot gets: both ends of both axes. */
function endsOf({ queue, throughput }: Extent): uPlot.AlignedData {
  return [
    [0, queue],
    [0, throughput],
  ];
}
