// SPDX-License-Identifier: Apache-2.0
// Prometheus' HTTP API, as far as dashboards use it.

export type Labels = Record<string, string>;

/** A time in seconds and a value as text. */
export type Sample = [number, string];

export type Result =
  | { resultType: 'matrix'; result: Array<{ metric: Labels; values?: Sample[] }> }
  | { resultType: 'vector'; result: Array<{ metric: Labels; value?: Sample }> }
  | { resultType: 'scalar' | 'string'; result: Sample };

/** An answer that says no, or none at all. */
export class PrometheusError extends Error {
  constructor(
    message: string,
    /** HTTP status; 0 where nothing answered. */
    readonly status: number
  ) {
    super(message);
  }

  /** The server is to blame, not the query: the same question may be answered later. */
  get unavailable(): boolean {
    return this.status === 0 || this.status >= 500 || this.status === 429;
  }
}

const TIMEOUT = 30000;

export class Prometheus {
  /** @param url address of the server, or of what passes queries on to it, ending in a slash */
  constructor(readonly url: string) {}

  /** Evaluates an expression at one time (ms). */
  query(expr: string, time: number, signal?: AbortSignal): Promise<Result> {
    return this.ask('query', { query: expr, time: String(time / 1000) }, signal);
  }

  /** Evaluates an expression at start, start + step, ... up to end (all ms). */
  queryRange(expr: string, start: number, end: number, step: number, signal?: AbortSignal): Promise<Result> {
    const form = { query: expr, start: String(start / 1000), end: String(end / 1000), step: String(step / 1000) };
    return this.ask('query_range', form, signal);
  }

  /** Values of a label in the series that match, or in all. */
  labelValues(label: string, match: string, start: number, end: number, signal?: AbortSignal): Promise<string[]> {
    const form = new URLSearchParams({ start: String(start / 1000), end: String(end / 1000) });
    if (match) {
      form.set('match[]', match);
    }
    return this.get(`label/${encodeURIComponent(label)}/values?${form}`, {}, signal);
  }

  /** Expressions can be longer than an address may be, so they are posted. */
  private ask<T>(path: string, form: Record<string, string>, signal?: AbortSignal): Promise<T> {
    return this.get(path, { method: 'POST', body: new URLSearchParams(form) }, signal);
  }

  private async get<T>(path: string, init: RequestInit, signal?: AbortSignal): Promise<T> {
    const patience = AbortSignal.timeout(TIMEOUT);
    const response = await this.fetch(path, {
      ...init,
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    });
    const answer = await read(response);
    if (!answer) {
      throw new PrometheusError(`${this.url} does not answer like Prometheus`, 502);
    }
    if (answer.status !== 'success') {
      throw new PrometheusError(answer.error ?? 'Prometheus gives no reason', response.status);
    }
    return answer.data as T;
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.url}api/v1/${path}`, init);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') {
        throw error; // on the caller's own wish
      }
      const late = error instanceof DOMException && error.name === 'TimeoutError';
      const what = late ? `did not answer within ${TIMEOUT / 1000} s` : 'does not answer';
      throw new PrometheusError(`${this.url} ${what}`, 0);
    }
  }
}

interface Answer {
  status: string;
  data?: unknown;
  error?: string;
}

/** Null where it is no answer of Prometheus, for instance a page of some other server. */
async function read(response: Response): Promise<Answer | null> {
  const text = await response.text();
  try {
    const answer = JSON.parse(text);
    return typeof answer?.status === 'string' ? answer : null;
  } catch {
    return null;
  }
}
