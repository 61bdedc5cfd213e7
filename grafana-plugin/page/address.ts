// SPDX-License-Identifier: Apache-2.0
// The state of the page is in its address, under the names that Grafana uses, so that it can be sent to somebody.

export interface Address {
  from: string;
  to: string;
  /** How often to ask again, such as 5s; empty for never. */
  refresh: string;
  timezone: string;
  /** Absent: as the system is. */
  theme?: 'dark' | 'light';
  /** Key of the only panel to show. */
  viewPanel?: string;
  /** Chosen values by variable. */
  variables: Readonly<Record<string, string[]>>;
  /** Address of Prometheus, for development. */
  prometheus?: string;
}

export const DEFAULTS: Address = { from: 'now-2m', to: 'now', refresh: '5s', timezone: 'browser', variables: {} };

const VARIABLE = 'var-';

export function readAddress(search: string): Address {
  const query = new URLSearchParams(search);
  const variables: Record<string, string[]> = {};
  for (const name of query.keys()) {
    if (name.startsWith(VARIABLE)) {
      variables[name.slice(VARIABLE.length)] = query.getAll(name);
    }
  }
  const theme = query.get('theme');
  return {
    from: query.get('from') || DEFAULTS.from,
    to: query.get('to') || DEFAULTS.to,
    refresh: query.get('refresh') ?? DEFAULTS.refresh,
    timezone: query.get('timezone') || DEFAULTS.timezone,
    theme: theme === 'dark' || theme === 'light' ? theme : undefined,
    viewPanel: query.get('viewPanel') ?? undefined,
    prometheus: query.get('prometheus') ?? undefined,
    variables,
  };
}

/** The part of the address after the page's name; default values are left out. */
export function writeAddress(address: Address): string {
  const query = new URLSearchParams();
  for (const name of ['from', 'to', 'refresh', 'timezone', 'theme', 'viewPanel', 'prometheus'] as const) {
    const value = address[name];
    if (value !== undefined && value !== DEFAULTS[name]) {
      query.set(name, value);
    }
  }
  // The two ends of a range are told together.
  if (query.has('from') || query.has('to')) {
    query.set('from', address.from);
    query.set('to', address.to);
  }
  for (const [name, values] of Object.entries(address.variables)) {
    values.forEach((value) => query.append(VARIABLE + name, value));
  }
  const written = query.toString();
  return written && `?${written}`;
}
