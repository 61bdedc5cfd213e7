// SPDX-License-Identifier: Apache-2.0
import { DataQueryError, LoadingState, PanelData } from '@grafana/data';
import { Kind, kindOf, METRICS } from '../data/kind';
import { Notice } from '../data/notice';

/** Why there is nothing to draw. */
export type EmptyReason =
  | { kind: 'loading' }
  | { kind: 'failed'; text: string }
  /** Without these queries the panel has nothing to draw. */
  | { kind: 'unasked'; queries: Kind[] }
  /** All was asked, nothing that can be drawn was answered; the text says why, where that is known. */
  | { kind: 'unanswered'; text?: string };

/** What the panel cannot do without. */
export const NEEDED: Kind[] = ['queue', 'throughput'];

/** Why a picture without tiers has none. */
export function emptyReason(data: PanelData, notices: readonly Notice[]): EmptyReason {
  const [failure] = failures(data);
  if (failure) {
    return { kind: 'failed', text: failure };
  }
  if (data.state === LoadingState.Loading || data.state === LoadingState.NotStarted) {
    return { kind: 'loading' };
  }
  const asked = askedKinds(data);
  const queries = NEEDED.filter((kind) => !asked.has(kind));
  if (queries.length > 0) {
    return { kind: 'unasked', queries };
  }
  const warning = notices.find(({ severity }) => severity === 'warning');
  return { kind: 'unanswered', text: warning?.text };
}

/** What went wrong with the queries, a line for each. */
export function failures({ state, errors = [] }: PanelData): string[] {
  if (errors.length === 0 && state === LoadingState.Error) {
    return ['The data source gives no reason.'];
  }
  return [...new Set(errors.map(failure))];
}

function failure({ refId, message, data, statusText }: DataQueryError): string {
  const reason = message || data?.message || data?.error || statusText || 'the data source gives no reason';
  const line = reason.split('\n')[0].trim();
  return refId ? `Query ${refId}: ${line}` : line;
}

/** The kinds that were asked for, answered or not: a query without result need not leave a frame. */
function askedKinds({ request, series }: PanelData): Set<Kind> {
  const asked = new Set<Kind>();
  const add = (kind: Kind | null) => kind && asked.add(kind);
  for (const target of request?.targets ?? []) {
    if (!target.hide) {
      add(kindOf(target.refId) ?? kindIn('expr' in target ? String(target.expr) : ''));
    }
  }
  for (const frame of series) {
    add(kindOf(frame.refId, frame.name));
  }
  return asked;
}

/** The kind whose metric an expression mentions. */
function kindIn(expr: string): Kind | null {
  const entries = Object.entries(METRICS) as Array<[Kind, string]>;
  return entries.find(([, metric]) => expr.includes(metric))?.[0] ?? null;
}
