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

/**
 * `unseen`: never at its limit in the last 15 minutes, so that nothing can be said. `unknown`: the query of the states
 * was not answered.
 */
export type Condition = 'frozen' | 'saturated' | 'ok' | 'unseen' | 'unknown';

/** One tier in the last minute; null for what was not recorded or not answered. */
export interface TierNow {
  tier: string;
  instance: string;
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
  correlation: number | null;
}

/** What a tier's queue moves with. */
export interface Cause {
  tier: string;
  cause: string;
  correlation: number | null;
}

/** Why queries of a table have no answer, in the words of Prometheus, by refId. */
export type Failed = ReadonlyMap<string, string>;

export interface Findings {
  /** In the order in which a request passes them. */
  tiers: TierNow[];
  /** The clearest first. */
  turns: Turns[];
  causes: Cause[];
  failed: Record<keyof Tables, Failed>;
}

export function readFindings(answers: { tiers?: PanelData; turns?: PanelData; causes?: PanelData }): Findings {
  const edges = rows(answers.turns, ['app', 'from', 'to']);
  const failed = { tiers: failures(answers.tiers), turns: failures(answers.turns), causes: failures(answers.causes) };
  const otherwise = failed.tiers.has('state') ? 'unknown' : 'unseen';
  return {
    tiers: inOrder(rows(answers.tiers, ['instance', 'app', 'tier']), edges).map((row) => toTier(row, otherwise)),
    turns: edges
      .filter(({ value }) => value.verdict === 1)
      .map(({ labels, value }) => ({ from: labels.from, to: labels.to, correlation: value.correlation ?? null }))
      .sort((a, b) => Number(a.correlation) - Number(b.correlation)),
    causes: rows(answers.causes, ['instance', 'app', 'tier', 'cause'])
      .filter(({ value }) => value.verdict === 1)
      .map(({ labels, value }) => ({ tier: labels.tier, cause: labels.cause, correlation: value.correlation ?? null }))
      .sort((a, b) => Number(b.correlation) - Number(a.correlation)),
    failed,
  };
}

function failures(data?: PanelData): Failed {
  return new Map(data?.errors?.map(({ refId, message }) => [refId!, message!]));
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

function toTier({ labels, value }: Row, otherwise: Condition): TierNow {
  return {
    tier: labels.tier,
    instance: labels.instance,
    condition: CONDITIONS.get(value.state) ?? otherwise,
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
