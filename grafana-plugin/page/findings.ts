// SPDX-License-Identifier: Apache-2.0
// What the tables of the dashboard's first row say about the last minute of the range, read for words. The dashboard
// has the queries and the limits; here are neither.
import { DataFrame, FieldType, Labels, PanelData } from '@grafana/data';
import { Dashboard, Panel } from '../host/dashboard';
import { Edge, requestOrder } from '../src/model/order';
import { TierLabels } from '../src/model/tier';

/** The tables, each known by a query that no other panel has. */
export interface Tables {
  tiers?: Panel;
  turns?: Panel;
  causes?: Panel;
}

export function findTables(dashboard: Dashboard): Tables {
  const having = (refId: string) =>
    dashboard.panels.find(({ type, targets }) => type === 'table' && targets?.some((target) => target.refId === refId));
  return { tiers: having('saturationPoint'), turns: having('bothBeyond'), causes: having('gcTime') };
}

export type Condition = 'frozen' | 'saturated' | 'ok' | 'unseen';

/** One tier in the last minute; null for what was not recorded. */
export interface TierNow {
  tier: string;
  instance: string;
  /** `unseen`: never at its limit in the last 15 minutes, so that nothing can be said. */
  condition: Condition;
  saturated: number | null;
  frozen: number | null;
  saturationPoint: number | null;
  maxThroughput: number | null;
}

/** Two tiers that take turns. */
export interface Turns {
  from: string;
  to: string;
  correlation: number;
}

/** What a tier's queue moves with. */
export interface Cause {
  tier: string;
  cause: string;
  correlation: number;
}

export interface Findings {
  /** In the order in which a request passes them. */
  tiers: TierNow[];
  /** The clearest first. */
  turns: Turns[];
  causes: Cause[];
}

export function readFindings(answers: { tiers?: PanelData; turns?: PanelData; causes?: PanelData }): Findings {
  const edges = rows(answers.turns, ['app', 'from', 'to']);
  return {
    tiers: inOrder(rows(answers.tiers, ['instance', 'app', 'tier']), edges).map(toTier),
    turns: edges
      .filter(({ value }) => value.verdict === 1)
      .map(({ labels, value }) => ({ from: labels.from, to: labels.to, correlation: value.correlation }))
      .sort((a, b) => a.correlation - b.correlation),
    causes: rows(answers.causes, ['instance', 'app', 'tier', 'cause'])
      .filter(({ value }) => value.verdict === 1)
      .map(({ labels, value }) => ({ tier: labels.tier, cause: labels.cause, correlation: value.correlation }))
      .sort((a, b) => b.correlation - a.correlation),
  };
}

function inOrder(tiers: Row[], edges: Row[]): Row[] {
  const labels = tiers.map((row) => row.labels as unknown as TierLabels);
  const calls = edges.map((row) => row.labels as unknown as Edge);
  return requestOrder(labels, calls).map((index) => tiers[index]);
}

interface Row {
  labels: Labels;
  /** By refId. */
  value: Record<string, number>;
}

/** Joins the answers of a table's queries by labels, in the order in which they come. */
function rows(data: PanelData | undefined, by: string[]): Row[] {
  const found = new Map<string, Row>();
  for (const frame of data?.series ?? []) {
    const { labels, value } = last(frame);
    if (labels && value !== undefined) {
      const key = by.map((name) => labels[name]).join('\n');
      const row = found.get(key) ?? { labels, value: {} };
      row.value[frame.refId!] = value;
      found.set(key, row);
    }
  }
  return [...found.values()];
}

function last(frame: DataFrame): { labels?: Labels; value?: number } {
  const field = frame.fields.find(({ type }) => type === FieldType.number);
  return { labels: field?.labels, value: field?.values[frame.length - 1] };
}

function toTier({ labels, value }: Row): TierNow {
  return {
    tier: labels.tier,
    instance: labels.instance,
    condition: CONDITIONS.get(value.state) ?? 'unseen',
    saturated: value.saturated ?? null,
    frozen: value.frozen ?? null,
    saturationPoint: value.saturationPoint ?? null,
    maxThroughput: value.maxThroughput ?? null,
  };
}

const CONDITIONS = new Map<number, Condition>([
  [2, 'frozen'],
  [1, 'saturated'],
  [0, 'ok'],
]);
