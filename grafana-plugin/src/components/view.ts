// SPDX-License-Identifier: Apache-2.0
import { EventBus } from '@grafana/data';
import { Picture } from '../model/tier';
import { Options } from '../types';

/** The properties that the panel passes to each of its views. */
export interface ViewProps {
  picture: Picture;
  /** Keys of the tiers that the legend hides. */
  hidden: ReadonlySet<string>;
  options: Options;
  /** Size of the view without legend and notices, CSS pixels. */
  width: number;
  height: number;
  /** Time range of the dashboard, ms since the epoch. */
  from: number;
  to: number;
  timeZone: string;
  /** Shares the crosshair with the other panels. */
  eventBus: EventBus;
  /** Narrows the dashboard's time range, ms since the epoch. */
  onZoom(from: number, to: number): void;
}
