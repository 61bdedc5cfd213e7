// SPDX-License-Identifier: Apache-2.0
import { Columns } from '../model/columns';
import { nStarOnAxis, Tier } from '../model/tier';
import { laneColumns } from './laneColumns';
import { Lane } from './lanes';
import { largest, queueTop } from './levels';
import { PlotTheme } from './statesStyle';
import { TimeFormat } from './timeAxis';

/** One tier with its place and its colour. */
export interface SceneLane {
  tier: Tier;
  /** #rrggbb */
  colour: string;
  lane: Lane;
}

/** Everything that the time lines are drawn from. */
export interface StatesScene {
  /** CSS pixels, time axis included. */
  width: number;
  height: number;
  /** Width of the names at the left. */
  gutter: number;
  lanes: SceneLane[];
  /** How far the lanes are scrolled, CSS pixels. */
  scroll: number;
  /** The range that is shown, ms. */
  from: number;
  to: number;
  /** Distance of neighbouring windows in the answer, ms. */
  step: number;
  theme: PlotTheme;
  timeFormat: TimeFormat;
  /** Writes a queue length. */
  queueFormat: (queue: number) => string;
  /** A date whose local fields are those of the dashboard's time zone. */
  zoned: (ms: number) => Date;
}

/** A lane with its columns. */
export interface PreparedLane extends SceneLane {
  columns: Columns;
  /** Upper end of the queue scale. */
  queueTop: number;
}

/** Condenses the lanes into columns, once for as long as data, range and size stay: scrolling needs nothing new. */
export class LanePreparer {
  private key = '';
  private columns = new Map<Tier, Columns>();

  prepare(scene: StatesScene, count: number): PreparedLane[] {
    const { from, to, step } = scene;
    const key = [from, to, count, step].join();
    const known = key === this.key ? this.columns : new Map<Tier, Columns>();
    this.key = key;
    this.columns = new Map();
    return scene.lanes.map((lane) => {
      const columns = known.get(lane.tier) ?? laneColumns(lane.tier, step, from, to, count);
      this.columns.set(lane.tier, columns);
      return { ...lane, columns, queueTop: queueTop(largest(columns.queueMax), nStarOnAxis(lane.tier)) };
    });
  }
}
