// SPDX-License-Identifier: Apache-2.0
import { DataQueryError, getDefaultTimeRange, LoadingState, PanelData } from '@grafana/data';
import { emptyReason, failures } from './emptyReason';

interface Target {
  refId: string;
  expr?: string;
  hide?: boolean;
}

function data(targets: Target[] | null, rest: Partial<PanelData> = {}): PanelData {
  return {
    state: LoadingState.Done,
    series: [],
    timeRange: getDefaultTimeRange(),
    ...(targets && { request: { targets } as PanelData['request'] }),
    ...rest,
  };
}

const BOTH = [{ refId: 'queue' }, { refId: 'throughput' }];

describe('emptyReason', () => {
  it('tells queries that are missing from queries without an answer', () => {
    expect(emptyReason(data(BOTH), [])).toEqual({ kind: 'unanswered' });
    expect(emptyReason(data([{ refId: 'queue' }]), [])).toEqual({ kind: 'unasked', queries: ['throughput'] });
    expect(emptyReason(data([]), [])).toEqual({ kind: 'unasked', queries: ['own_queue', 'throughput'] });
  });

  it('hands on why the answers could not be drawn', () => {
    const notices = [
      { severity: 'info', text: 'harmless' },
      { severity: 'warning', text: 'give both the same step' },
    ] as const;
    expect(emptyReason(data(BOTH), notices)).toEqual({ kind: 'unanswered', text: 'give both the same step' });
  });

  it('waits while loading, also with nothing asked yet', () => {
    expect(emptyReason(data([], { state: LoadingState.Loading }), [])).toEqual({ kind: 'loading' });
    expect(emptyReason(data([], { state: LoadingState.NotStarted }), [])).toEqual({ kind: 'loading' });
  });

  it('puts a failure first', () => {
    const errors = [{ refId: 'queue', message: 'bad_data' }];
    expect(emptyReason(data([], { state: LoadingState.Loading, errors }), [])).toEqual({
      kind: 'failed',
      text: 'Query queue: bad_data',
    });
  });
});

describe('failures', () => {
  const lines = (...errors: DataQueryError[]) => failures(data(BOTH, { errors }));

  it('is empty when all is well', () => {
    expect(failures(data(BOTH))).toEqual([]);
  });

  it('is the first line of each message, each once', () => {
    const timeout = { refId: 'gc', message: 'timed out\nat line 7' };
    expect(lines(timeout, timeout, { message: 'no such host' })).toEqual(['Query gc: timed out', 'no such host']);
  });

  it('finds the message wherever it is', () => {
    expect(lines({ data: { message: 'a' } })).toEqual(['a']);
    expect(lines({ data: { error: 'b' } })).toEqual(['b']);
    expect(lines({ statusText: 'Bad Gateway' })).toEqual(['Bad Gateway']);
    expect(lines({})).toEqual(['the data source gives no reason']);
  });

  it('is the error of the request as a whole where the queries have none', () => {
    const error = { message: 'Query error: 502 Bad Gateway' };
    expect(failures(data(BOTH, { state: LoadingState.Error, error }))).toEqual(['Query error: 502 Bad Gateway']);
    expect(lines({ message: 'a' })).toEqual(['a']);
  });

  it('says so when a query failed without an error', () => {
    expect(failures(data(BOTH, { state: LoadingState.Error }))).toEqual(['The data source gives no reason.']);
  });
});
