// SPDX-License-Identifier: Apache-2.0
import { kindOf, METRICS } from './kind';

describe('kindOf', () => {
  it.each(Object.entries(METRICS))('knows %s by its own name and by its metric', (kind, metric) => {
    expect(kindOf(kind)).toBe(kind);
    expect(kindOf('A', metric)).toBe(kind);
  });

  it('trusts the name of the query before the metric, and the metric before the field', () => {
    expect(kindOf('queue', METRICS.throughput, METRICS.gc)).toBe('queue');
    expect(kindOf('A', METRICS.throughput, METRICS.gc)).toBe('throughput');
    expect(kindOf(undefined, undefined, METRICS.gc)).toBe('gc');
  });

  it('knows the fields of a table of several queries', () => {
    expect(kindOf('merge-A', undefined, 'Value #curve_queue')).toBe('curve_queue');
  });

  it.each(['A', 'Queue', 'constructor', '', 'Value'])('does not know %p', (name) => {
    expect(kindOf(name)).toBeNull();
  });
});
