// SPDX-License-Identifier: Apache-2.0
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import { type DashboardBuilder, type GridPos, type Panel, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';

/** What every panel builder of the SDK can do. */
interface Placeable extends Builder<Panel> {
  id(id: number): this;
  gridPos(position: GridPos): this;
}

/** A panel with its place among its neighbours, in units of Grafana's grid of 24 columns. */
export interface Tile {
  panel: Placeable;
  w: number;
  h: number;
}

export interface Row {
  title: string;
  collapsed?: boolean;
  tiles: Tile[];
}

const COLUMNS = 24;

/** Places rows from top to bottom and tiles from left to right, and numbers them in that order. */
export function lay(dashboard: DashboardBuilder, rows: Row[]): void {
  let id = 1;
  let y = 0;
  for (const row of rows) {
    const builder = new RowBuilder(row.title)
      .id(id++)
      .collapsed(row.collapsed ?? false)
      .gridPos({ x: 0, y, w: COLUMNS, h: 1 });
    y += 1;
    let x = 0;
    let height = 0;
    const panels: Placeable[] = [];
    for (const { panel, w, h } of row.tiles) {
      if (x + w > COLUMNS) {
        x = 0;
        y += height;
        height = 0;
      }
      panels.push(panel.id(id++).gridPos({ x, y, w, h }));
      x += w;
      height = Math.max(height, h);
    }
    y += height;
    // Grafana keeps the panels of a collapsed row inside it, and those of an open one after it.
    if (row.collapsed) {
      panels.forEach((panel) => builder.withPanel(panel));
      dashboard.withRow(builder);
    } else {
      dashboard.withRow(builder);
      panels.forEach((panel) => dashboard.withPanel(panel));
    }
  }
}
