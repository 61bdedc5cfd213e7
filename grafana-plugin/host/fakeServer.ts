// SPDX-License-Identifier: Apache-2.0
// For tests: a Prometheus that remembers what it was asked.
import { Prometheus } from './prometheus';

export interface Question {
  path: string;
  method: string;
  form: URLSearchParams;
}

export type Reply = { status?: number; body: unknown } | Error;

// jsdom lacks these; no test here waits for a timeout or stops in another way than the caller's.
AbortSignal.timeout ??= () => new AbortController().signal;
AbortSignal.any ??= ([first]: AbortSignal[]) => first;

/** Answers each question by its path and form, until the end of the test. */
export function fakeServer(reply: (question: Question) => Reply): { server: Prometheus; questions: Question[] } {
  const questions: Question[] = [];
  global.fetch = jest.fn(async (address: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(String(address));
    const form = (init.body as URLSearchParams) ?? url.searchParams;
    const question = { path: url.pathname, method: init.method ?? 'GET', form };
    questions.push(question);
    if (init.signal?.aborted) {
      throw new DOMException('', 'AbortError');
    }
    const answer = reply(question);
    if (answer instanceof Error) {
      throw answer;
    }
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    return { ok: !answer.status, status: answer.status ?? 200, text: async () => text } as Response;
  });
  return { server: new Prometheus('http://prometheus.test/prefix/'), questions };
}

export const success = (data: unknown): Reply => ({ body: { status: 'success', data } });

export const vector = (...result: Array<[Record<string, string>, number]>): Reply =>
  success({ resultType: 'vector', result: result.map(([metric, value]) => ({ metric, value: [1, String(value)] })) });
