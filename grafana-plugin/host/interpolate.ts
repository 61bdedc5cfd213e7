// SPDX-License-Identifier: Apache-2.0
// Variables of a dashboard in texts: $name, ${name}, ${name:format} and [[name]].

/** The values of a variable that are chosen. */
export interface Chosen {
  values: string[];
  /** As the choice is shown; the values, if absent. */
  text?: string;
  /** What stands for "All" in queries, taken as it is. */
  allValue?: string;
  /** Whether several values, or all, can be chosen; a choice that does not say so counts as one of those. */
  multi?: boolean;
  includeAll?: boolean;
}

export type Scope = ReadonlyMap<string, Chosen>;

type Write = (chosen: Chosen) => string;

const VARIABLE = /\$(\w+)|\$\{(\w+)(?::(\w+))?\}|\[\[(\w+)(?::(\w+))?\]\]/g;

/** Writes values into a text; names that the scope does not have stay as they are. */
function fill(text: string, scope: Scope, write: Write): string {
  return text.replace(VARIABLE, (match, plain, braced, bracedFormat, bracketed, bracketedFormat) => {
    const chosen = scope.get(plain ?? braced ?? bracketed);
    const format = bracedFormat ?? bracketedFormat;
    return chosen ? (FORMATS[format] ?? write)(chosen) : match;
  });
}

const raw: Write = ({ values }) => (values.length === 1 ? values[0] : `{${values.join(',')}}`);

const FORMATS: Record<string, Write> = {
  raw,
  csv: ({ values }) => values.join(','),
  pipe: ({ values }) => values.join('|'),
  text: shown,
};

function shown({ values, text }: Chosen): string {
  return text ?? values.join(' + ');
}

/** For titles and other texts that people read. */
export function fillText(text: string, scope: Scope): string {
  return fill(text, scope, shown);
}

/**
 * For PromQL. Of a variable with one value only, that is a string (`=`). Of others each value is a regular expression
 * for itself, several are alternatives (`=~`). So does Grafana's Prometheus data source.
 */
export function fillQuery(expr: string, scope: Scope): string {
  return fill(expr, scope, ({ values, allValue, multi = true, includeAll = true }) => {
    if (allValue !== undefined) {
      return allValue;
    }
    if (!multi && !includeAll) {
      return values.map(inString).join();
    }
    const quoted = values.map((value) => inString(literal(value)));
    return quoted.length === 1 ? quoted[0] : `(${quoted.join('|')})`;
  });
}

/** A regular expression that only matches the value. */
function literal(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** As it stands in a string of PromQL, between double quotes. */
function inString(value: string): string {
  return value.replace(/[\\"]/g, '\\$&');
}

/** What `$__interval`, `$__range` and the like stand for; spans in ms. */
export interface Spans {
  interval: number;
  rateInterval: number;
  range: number;
}

export function fillSpans(expr: string, { interval, rateInterval, range }: Spans): string {
  const values: Record<string, string> = {
    __interval: `${interval}ms`,
    __interval_ms: `${interval}`,
    __rate_interval: `${rateInterval}ms`,
    __rate_interval_ms: `${rateInterval}`,
    __range: `${Math.round(range / 1000)}s`,
    __range_s: `${Math.round(range / 1000)}`,
    __range_ms: `${range}`,
  };
  return expr.replace(/\$(__\w+)|\$\{(__\w+)\}/g, (match, plain, braced) => values[plain ?? braced] ?? match);
}
