// SPDX-License-Identifier: Apache-2.0
import { PanelData } from '@grafana/data';
import { Kind, kindOf, METRICS } from './kind';

/** What the panel's queries ask for, even if they failed. */
export interface Queries {
  /** The kinds that were asked for, answered or not: a query without result need not leave a frame. */
  asked: ReadonlySet<Kind>;
  /** Kinds whose query failed, so that nothing is known about them. */
  failed: ReadonlySet<Kind>;
}

export function queriesOf({ request, series, errors = [] }: Pick<PanelData, 'request' | 'series' | 'errors'>): Queries {
  const targets = (request?.targets ?? []).filter(({ hide }) => !hide);
  const byName = new Map(
    targets.map((target) => [target.refId, kindOf(target.refId) ?? kindIn('expr' in target ? String(target.expr) : '')])
  );
  const answered = series.map(({ refId, name }) => kindOf(refId, name));
  const failed = errors.map(({ refId }) => (refId ? (byName.get(refId) ?? kindOf(refId)) : null));
  return { asked: known([...byName.values(), ...answered]), failed: known(failed) };
}

function known(kinds: ReadonlyArray<Kind | null>): Set<Kind> {
  return new Set(kinds.filter((kind) => kind !== null));
}

/** The kind whose metric an expression mentions. */
function kindIn(expr: string): Kind | null {
  const entries = Object.entries(METRICS) as Array<[Kind, string]>;
  return entries.find(([, metric]) => expr.includes(metric))?.[0] ?? null;
}
