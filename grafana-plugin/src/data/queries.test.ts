// SPDX-License-Identifier: Apache-2.0
import { DataQueryError, PanelData } from '@grafana/data';
import { emptyFrame } from '../fixtures/frames';
import { queriesOf } from './queries';

function kinds(targets: Array<{ refId: string; expr?: string; hide?: boolean }>, errors: DataQueryError[] = []) {
  const { asked, failed } = queriesOf({ request: { targets } as PanelData['request'], series: [], errors });
  return { asked: [...asked], failed: [...failed] };
}

describe('queriesOf', () => {
  it('knows a query by its name, else by its metric', () => {
    const targets = [
      { refId: 'queue' },
      { refId: 'A', expr: 'last_over_time(nstar_window_throughput{app="shop"}[1ms])' },
      { refId: 'B', expr: 'up' },
    ];
    expect(kinds(targets).asked).toEqual(['queue', 'throughput']);
  });

  it('leaves out what is switched off', () => {
    expect(kinds([{ refId: 'queue' }, { refId: 'gc', hide: true }]).asked).toEqual(['queue']);
  });

  it('tells which failed', () => {
    const targets = [{ refId: 'queue' }, { refId: 'A', expr: 'nstar_window_gc_ratio' }];
    const errors = [{ refId: 'A', message: 'timed out' }, { message: 'no query of ours' }];
    expect(kinds(targets, errors)).toEqual({ asked: ['queue', 'gc'], failed: ['gc'] });
    expect(kinds([], [{ refId: 'queue' }]).failed).toEqual(['queue']);
  });

  it('looks at the answers where the request is not known', () => {
    const { asked } = queriesOf({ series: [emptyFrame('queue'), emptyFrame('X')] });
    expect([...asked]).toEqual(['queue']);
  });
});
