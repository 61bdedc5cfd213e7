// SPDX-License-Identifier: Apache-2.0
// The values that a dashboard's variables can take, and those that are chosen.
import { Dashboard, Variable } from './dashboard';
import { Chosen, fillQuery } from './interpolate';
import { Prometheus } from './prometheus';

/** How Grafana writes the choice of everything in addresses and dashboards. */
export const ALL = '$__all';

export interface Choice extends Chosen {
  name: string;
  label: string;
  options: string[];
  multi: boolean;
  includeAll: boolean;
  /** Everything was chosen, not each value by itself. */
  all: boolean;
}

/** @param wanted values by variable, as in the address of the page; a variable that is absent has its default. */
export async function resolveVariables(
  dashboard: Dashboard,
  server: Prometheus,
  range: { from: number; to: number },
  wanted: Readonly<Record<string, string[]>>,
  signal?: AbortSignal
): Promise<Map<string, Choice>> {
  const choices = new Map<string, Choice>();
  // One after the other: a variable's query may hold the variables before it.
  for (const variable of dashboard.templating?.list ?? []) {
    if (variable.type !== 'datasource') {
      const options = await optionsOf(variable, choices, server, range, signal);
      choices.set(variable.name, choose(variable, options, wanted[variable.name]));
    }
  }
  return choices;
}

const LABEL_VALUES = /^\s*label_values\(\s*(?:(.+),)?\s*([a-zA-Z_]\w*)\s*\)\s*$/s;

async function optionsOf(
  variable: Variable,
  scope: ReadonlyMap<string, Choice>,
  server: Prometheus,
  { from, to }: { from: number; to: number },
  signal?: AbortSignal
): Promise<string[]> {
  const query = (typeof variable.query === 'string' ? variable.query : variable.query?.query) ?? '';
  switch (variable.type) {
    case 'query': {
      const parts = LABEL_VALUES.exec(query);
      if (!parts) {
        throw new Error(`variable ${variable.name}: this host only knows label_values(series, label), not "${query}"`);
      }
      const match = fillQuery(parts[1]?.trim() ?? '', scope);
      return (await server.labelValues(parts[2], match, from, to, signal)).sort();
    }
    case 'custom':
      return query.split(',').map((value) => value.trim());
    case 'constant':
    case 'textbox':
      return [query];
    default:
      throw new Error(`variable ${variable.name}: this host does not know the type ${variable.type}`);
  }
}

/**
 * Values that were asked for stay chosen even when there are no such series now: the choice of a tier must survive a
 * time range without it.
 */
function choose(variable: Variable, options: string[], wanted?: string[]): Choice {
  const { includeAll = false, multi = false } = variable;
  const preset = variable.current?.value;
  const asked = (wanted ?? (preset === undefined ? [] : [preset].flat())).filter((value) => value !== '');
  const all = includeAll && (asked.length === 0 || asked.includes(ALL));
  const single = multi ? asked : asked.slice(0, 1);
  return {
    name: variable.name,
    label: variable.label ?? variable.name,
    options,
    multi,
    includeAll,
    all,
    values: all ? options : single.length > 0 ? single : options.slice(0, 1),
    text: all ? 'All' : undefined,
    allValue: all ? (variable.allValue ?? undefined) : undefined,
  };
}
