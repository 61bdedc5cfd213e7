// SPDX-License-Identifier: Apache-2.0
import { DataQueryError, LoadingState, PanelData } from '@grafana/data';
import { Kind } from '../data/kind';
import { Notice } from '../data/notice';
import { queriesOf } from '../data/queries';

/** Why there is nothing to draw. */
export type EmptyReason =
  | { kind: 'loading' }
  | { kind: 'failed'; text: string }
  /** Without these queries the panel has nothing to draw. */
  | { kind: 'unasked'; queries: Kind[] }
  /** All queries were made, but no answer can be drawn; the text says why, if that is known. */
  | { kind: 'unanswered'; text?: string };

/** The queries that the panel must have. */
export const NEEDED: Kind[] = ['own_queue', 'throughput'];

/** Why a picture without tiers has none. */
export function emptyReason(data: PanelData, notices: readonly Notice[]): EmptyReason {
  const [failure] = failures(data);
  if (failure) {
    return { kind: 'failed', text: failure };
  }
  if (data.state === LoadingState.Loading || data.state === LoadingState.NotStarted) {
    return { kind: 'loading' };
  }
  const { asked } = queriesOf(data);
  const queries = NEEDED.filter((kind) => !asked.has(kind) && !(kind === 'own_queue' && asked.has('queue')));
  if (queries.length > 0) {
    return { kind: 'unasked', queries };
  }
  const warning = notices.find(({ severity }) => severity === 'warning');
  return { kind: 'unanswered', text: warning?.text };
}

/** What went wrong with the queries, a line for each. */
export function failures({ state, errors = [], ...data }: PanelData): string[] {
  // A request that fails as a whole leaves nothing but this.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const { error } = data;
  const all = errors.length > 0 || !error ? errors : [error];
  if (all.length === 0 && state === LoadingState.Error) {
    return ['The data source gives no reason.'];
  }
  return [...new Set(all.map(failure))];
}

function failure({ refId, message, data, statusText }: DataQueryError): string {
  const reason = message || data?.message || data?.error || statusText || 'the data source gives no reason';
  const line = reason.split('\n')[0].trim();
  return refId ? `Query ${refId}: ${line}` : line;
}
