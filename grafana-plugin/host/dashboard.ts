// SPDX-License-Identifier: Apache-2.0
// The parts of a dashboard in Grafana's classic JSON that it takes to show its panels.
import { DashboardCursorSync, FieldConfigSource } from '@grafana/data';
import { fillText, Scope } from './interpolate';

export interface Target {
  refId: string;
  expr: string;
  instant?: boolean;
  range?: boolean;
  /** Shortest step, such as 50ms. */
  interval?: string;
  legendFormat?: string;
  hide?: boolean;
}

export interface Panel {
  id: number;
  type: string;
  title?: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  options?: Record<string, unknown>;
  fieldConfig?: FieldConfigSource;
  targets?: Target[];
  maxDataPoints?: number;
  /** Shortest interval, such as 15s. */
  interval?: string;
  /** Name of the variable for each of whose values there shall be a panel. */
  repeat?: string;
  /** Side by side, or one below the other. */
  repeatDirection?: 'h' | 'v';
  /** Panels of a row that is closed. */
  panels?: Panel[];
}

export interface Variable {
  name: string;
  type: string;
  label?: string;
  query?: string | { query?: string };
  /** Takes the value out of each line of the answer, such as /app="([^"]*)"/. */
  regex?: string;
  /** 0 leaves the order of the answer. */
  sort?: number;
  multi?: boolean;
  includeAll?: boolean;
  allValue?: string | null;
  current?: { value?: string | string[] };
}

export interface Dashboard {
  title: string;
  graphTooltip?: DashboardCursorSync;
  panels: Panel[];
  templating?: { list?: Variable[] };
}

/** A panel as shown: repeated ones once for each value. */
export interface Shown {
  /** Tells the copies of a repeated panel apart. */
  key: string;
  panel: Panel;
  title: string;
  scope: Scope;
}

/** A copy of a dashboard's JSON, checked as far as the rest relies on it. */
export function readDashboard(json: unknown): Dashboard {
  const dashboard = json as Dashboard;
  if (!Array.isArray(dashboard?.panels)) {
    throw new Error('it is no dashboard in Grafana\'s classic JSON: it has no list "panels"');
  }
  return dashboard;
}

/** The panels of one type in their order, those of closed rows too. */
export function panelsOfType(dashboard: Dashboard, type: string): Panel[] {
  const all = dashboard.panels.flatMap((panel) => [panel, ...(panel.panels ?? [])]);
  return all.filter((panel) => panel.type === type);
}

/** Makes a copy of a panel for each value of the variable that it is repeated by. */
export function repeat(panel: Panel, scope: Scope): Shown[] {
  const title = (within: Scope) => fillText(panel.title ?? '', within);
  const by = panel.repeat ? scope.get(panel.repeat) : undefined;
  if (!by) {
    return [{ key: `${panel.id}`, panel, title: title(scope), scope }];
  }
  return by.values.map((value) => {
    const within = new Map(scope).set(panel.repeat!, { values: [value] });
    return { key: `${panel.id}-${value}`, panel, title: title(within), scope: within };
  });
}
