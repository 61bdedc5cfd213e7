// SPDX-License-Identifier: Apache-2.0
// The values that a dashboard's variables can take, and those that are chosen.
import { Dashboard, Variable } from './dashboard';
import { Chosen, fillQuery, fillSpans } from './interpolate';
import { Prometheus, Result } from './prometheus';

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
const QUERY_RESULT = /^\s*query_result\((.+)\)\s*$/s;

async function optionsOf(
  variable: Variable,
  scope: ReadonlyMap<string, Choice>,
  server: Prometheus,
  range: { from: number; to: number },
  signal?: AbortSignal
): Promise<string[]> {
  const query = (typeof variable.query === 'string' ? variable.query : variable.query?.query) ?? '';
  switch (variable.type) {
    case 'query': {
      const values = await answerOf(variable.name, query, scope, server, range, signal);
      const taken = takeOut(values, variable.regex);
      return variable.sort === 0 ? taken : taken.sort();
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

async function answerOf(
  name: string,
  query: string,
  scope: ReadonlyMap<string, Choice>,
  server: Prometheus,
  { from, to }: { from: number; to: number },
  signal?: AbortSignal
): Promise<string[]> {
  const [, series, label] = LABEL_VALUES.exec(query) ?? [];
  if (label) {
    return server.labelValues(label, fillQuery(series?.trim() ?? '', scope), from, to, signal);
  }
  const [, expr] = QUERY_RESULT.exec(query) ?? [];
  if (!expr) {
    throw new Error(
      `variable ${name}: this host only knows label_values(series, label) and query_result(expression), not "${query}"`
    );
  }
  // An interval is a matter of pictures; a variable has the range alone.
  const spans = { interval: to - from, rateInterval: to - from, range: to - from };
  return lines(await server.query(fillSpans(fillQuery(expr, scope), spans), to, signal));
}

/** Each series of the answer as Grafana writes it: up{app="shop"} 1 1767603600000 */
function lines(answer: Result): string[] {
  return answer.resultType === 'vector'
    ? answer.result.map(({ metric: { __name__ = '', ...labels }, value: [time, value] = [NaN, ''] }) => {
        const pairs = Object.entries(labels).map(([name, text]) => `${name}="${text}"`);
        return `${__name__}{${pairs.join(',')}} ${value} ${time * 1000}`;
      })
    : [];
}

/** What a regular expression between slashes captures in each value, or matches; what it does not match is left out. */
function takeOut(values: string[], regex = ''): string[] {
  const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/.exec(regex) ?? [];
  if (!pattern) {
    return values;
  }
  const expression = new RegExp(pattern, flags.replace('g', ''));
  const found = values.map((value) => expression.exec(value)).filter((match) => match !== null);
  return [...new Set(found.map(([whole, captured = whole]) => captured))];
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
