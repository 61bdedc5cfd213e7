// SPDX-License-Identifier: Apache-2.0
// What the panels of the dashboard's first row say about the last minute of the range, read for words. The dashboard
// has the queries, the names of the causes and what to do about them; here are none of them, and nothing is judged.
import { DataFrame, FieldType, Labels, PanelData } from '@grafana/data';
import { Dashboard, Panel } from '../host/dashboard';
import { Edge, places, requestOrder } from '../src/model/order';
import { SaturationStatus, TierLabels } from '../src/model/tier';

/** The panels that are read, each known by a query that no other panel has. */
export interface Tables {
  verdict?: Panel;
  waited?: Panel;
  charged?: Panel;
  tiers?: Panel;
}

/** By which query each of them is found. */
const KNOWN_BY: Record<keyof Tables, string> = {
  verdict: 'verdict',
  waited: 'waited',
  charged: 'tail',
  tiers: 'ownQueue',
};

export const TABLES = Object.keys(KNOWN_BY) as Array<keyof Tables>;

export function findTables(dashboard: Dashboard): Tables {
  const having = (refId: string) =>
    dashboard.panels.find(({ targets }) => targets?.some((target) => target.refId === refId));
  return Object.fromEntries(TABLES.map((name) => [name, having(KNOWN_BY[name])]));
}

/** The verdict as it was recorded. */
export interface Said {
  app: string;
  /** healthy, learning, single_bottleneck, alternating_bottleneck; or any verdict that later rules may have. */
  verdict: string;
  /** The bottleneck; empty if there is none. */
  tier: string;
  cause: string;
  /** Mean response time, s; null where it was not recorded or not answered. */
  response: number | null;
  /** How much of it the bottleneck takes, s. */
  cost: number | null;
  /** As a share, 0 to 1. */
  share: number | null;
}

/** How long a request spends in a tier, without waiting for the tiers behind, s. */
export interface Waited {
  tier: string;
  seconds: number;
}

/** The part of the response time that is charged to a tier for a cause. */
export interface Charge {
  tier: string;
  cause: string;
  seconds: number;
  /** Share of the worst moments, 0 to 1; null where it has none. */
  tail: number | null;
}

/** One server of a tier in the last minute; null for values that were not recorded or not answered. */
export interface TierNow {
  tier: string;
  instance: string;
  frozen: number | null;
  saturated: number | null;
  waiting: number | null;
  unknown: number | null;
  nStar: number | null;
  nStarStatus: SaturationStatus | null;
  tpMax: number | null;
}

/** Why queries have no answer, in the words of Prometheus, by refId. */
export type Failed = ReadonlyMap<string, string>;

export interface Findings {
  /** null if nothing was recorded or answered. */
  said: Said | null;
  /** In the order in which a request passes them. */
  waited: Waited[];
  /** Tier by tier in the same order, of each the longest first. */
  charges: Charge[];
  tiers: TierNow[];
  /** Place of a tier among all that requests pass, by its name: its colour goes by it, as in the panels. */
  place: ReadonlyMap<string, number>;
  failed: Record<keyof Tables, Failed>;
}

/**
 * @param answers to the queries of the panels
 * @param edges the answer to a query of that name: which tier calls which
 */
export function readFindings(answers: Partial<Record<keyof Tables, PanelData>>, edges?: PanelData): Findings {
  const waited = rows(answers.waited, ['tier']);
  const charged = rows(answers.charged, ['tier', 'cause']);
  const tiers = rows(answers.tiers, ['instance', 'tier']);
  const order = orderOf([...tiers, ...waited, ...charged], edges);
  const byOrder = (a: Row, b: Row) => order.get(a.labels.tier)! - order.get(b.labels.tier)!;
  return {
    said: readSaid(answers.verdict),
    waited: waited.sort(byOrder).map(({ labels, value }) => ({ tier: labels.tier, seconds: value.waited })),
    charges: charged
      .filter(({ value }) => value.time > 0)
      .sort((a, b) => byOrder(a, b) || b.value.time - a.value.time)
      .map(({ labels: { tier, cause }, value }) => ({ tier, cause, seconds: value.time, tail: value.tail ?? null })),
    tiers: tiers.sort((a, b) => byOrder(a, b) || (a.labels.instance < b.labels.instance ? -1 : 1)).map(toTier),
    place: order,
    failed: Object.fromEntries(TABLES.map((name) => [name, failures(answers[name])])) as Findings['failed'],
  };
}

function failures(data?: PanelData): Failed {
  return new Map(data?.errors?.map(({ refId, message }) => [refId!, message!]));
}

function readSaid(data?: PanelData): Said | null {
  const [row] = rows(data, ['app']);
  if (!row?.labels.verdict) {
    return null;
  }
  const { app = '', verdict, tier = '', cause = '' } = row.labels;
  const { response = null, cost = null, share = null } = row.value;
  return { app, verdict, tier, cause, response, cost, share };
}

/** Places of the tiers by their names: the panels' places, because the panels know all edges. */
function orderOf(found: readonly Row[], edges?: PanelData): Map<string, number> {
  const names = [...new Set(found.map(({ labels }) => labels.tier))];
  const [app = ''] = found.map(({ labels }) => labels.app);
  const calls = (edges?.series ?? [])
    .filter(({ refId }) => refId === 'edges')
    .map((frame) => last(frame).labels)
    .filter((labels) => labels !== undefined)
    .map(({ app, from, to }): Edge => ({ app, from, to }));
  const tiers: TierLabels[] = names.map((tier) => ({ app, tier, instance: '' }));
  const at = places(tiers, calls);
  return new Map(requestOrder(tiers, calls).map((i) => [names[i], at[i]]));
}

interface Row {
  labels: Labels;
  /** By refId. */
  value: Record<string, number>;
}

/** Joins the answers of a panel's queries by labels, in the order in which they come. */
function rows(data: PanelData | undefined, by: string[]): Row[] {
  const found = new Map<string, Row>();
  for (const frame of data?.series ?? []) {
    const { labels, value } = last(frame);
    if (labels && value !== undefined) {
      const key = by.map((name) => labels[name]).join('\n');
      const row = found.get(key) ?? { labels: {}, value: {} };
      row.labels = { ...labels, ...row.labels };
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
  const of = (refId: string) => value[refId] ?? null;
  return {
    tier: labels.tier,
    instance: labels.instance,
    frozen: of('frozen'),
    saturated: of('saturated'),
    waiting: of('waiting'),
    unknown: of('unknown'),
    nStar: of('saturationPoint'),
    nStarStatus: (labels.status as SaturationStatus | undefined) ?? null,
    tpMax: of('maxThroughput'),
  };
}
