// SPDX-License-Identifier: Apache-2.0
import { QueueKind, Tier } from '../model/tier';
import { PlotTheme } from './statesStyle';

/** A tier as it is drawn: its windows, its colour and the words on its lines. */
export interface SceneTier {
  tier: Tier;
  /** #rrggbb */
  colour: string;
  /** The text on the vertical line at N*; if there is none, the reason. */
  nStarLabel: string;
  /** On the horizontal line at TPmax. */
  tpMaxLabel: string;
  /** Above its frozen windows. */
  frozenLabel: string;
}

/** Everything that a main sequence shows. */
export interface SequenceScene {
  /** CSS pixels. */
  width: number;
  height: number;
  /** Whether the queue axis is an inverse hyperbolic sine. */
  log: boolean;
  /** The quantity on the queue axis. */
  queueKind: QueueKind;
  /** Without the hidden ones. */
  tiers: SceneTier[];
  showCurve: boolean;
  /** The windows that stay bright, by tier and window, 1 for bright; null: all of them. */
  selected: Uint8Array[] | null;
  theme: PlotTheme;
  /** How numbers are written on the axes. */
  numberFormat(value: number): string;
  /** The picture, in words. */
  description: string;
}

/** A window: which of the drawn tiers, and which of its windows. */
export interface Hit {
  tier: number;
  index: number;
}

/** The window at the pointer, and where it is drawn, in CSS pixels of the scene. */
export interface SequenceHover {
  hit: Hit;
  x: number;
  y: number;
}

/** The plot's events of the pointer. */
export interface SequenceEvents {
  /** Another window is at the pointer; null: none is. */
  onHover(hover: SequenceHover | null): void;
  /** Windows were brushed: by drawn tier and window, 1 for those within. */
  onBrush(within: Uint8Array[]): void;
  /** A double click. */
  onClear(): void;
}
