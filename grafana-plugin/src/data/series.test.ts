// SPDX-License-Identifier: Apache-2.0
import { FieldType } from '@grafana/data';
import { T0 } from '../fixtures/clock';
import { emptyFrame, seriesFrame, tableFrame, wideFrame } from '../fixtures/frames';
import { METRICS } from './kind';
import { readSeries, Series } from './series';

const WEB = { app: 'shop', tier: 'web', instance: 'a' };
const DB = { app: 'shop', tier: 'db', instance: 'a' };

function plain({ kind, labels, time, value, interval }: Series) {
  return { kind, tier: labels.tier, bin: labels.bin, time: Array.from(time), value: Array.from(value), interval };
}

describe('readSeries', () => {
  it('reads a frame per series', () => {
    const answers = readSeries([
      seriesFrame('queue', WEB, [1, 2], [3, 4]),
      seriesFrame('throughput', DB, [1], [60], 100),
    ]);
    expect(answers.series.map(plain)).toEqual([
      { kind: 'queue', tier: 'web', time: [1, 2], value: [3, 4], interval: 50 },
      { kind: 'throughput', tier: 'db', time: [1], value: [60], interval: 100 },
    ]);
    expect([...answers.asked]).toEqual(['queue', 'throughput']);
    expect(answers.unknown.size + answers.timeless.size).toBe(0);
  });

  it('reads a frame with a field per series', () => {
    const frame = wideFrame(
      'queue',
      [1, 2],
      [
        { labels: WEB, value: [3, 4] },
        { labels: DB, value: [null, 6] },
      ]
    );
    expect(readSeries([frame]).series.map(plain)).toEqual([
      { kind: 'queue', tier: 'web', time: [1, 2], value: [3, 4], interval: 50 },
      { kind: 'queue', tier: 'db', time: [1, 2], value: [null, 6], interval: 50 },
    ]);
  });

  it('reads a frame in which queries were joined, by the metrics of its fields', () => {
    const frame = wideFrame(
      'joinByField-queue-throughput',
      [1],
      [
        { labels: { ...WEB, __name__: METRICS.queue }, value: [3] },
        { labels: { ...WEB, __name__: METRICS.throughput }, value: [60] },
      ]
    );
    expect(readSeries([frame]).series.map(({ kind }) => kind)).toEqual(['queue', 'throughput']);
  });

  it('reads a table, a series per set of labels', () => {
    const frame = tableFrame('curve_queue', [
      { labels: { ...WEB, bin: '1' }, time: T0, value: 0.9 },
      { labels: { ...WEB, bin: '2' }, time: T0, value: 1.8 },
      { labels: { ...DB, bin: '1' }, time: T0, value: 0.8 },
      { labels: { ...WEB, bin: '1' }, time: T0 + 1, value: 0.95 },
    ]);
    expect(readSeries([frame]).series.map(plain)).toEqual([
      { kind: 'curve_queue', tier: 'web', bin: '1', time: [T0, T0 + 1], value: [0.9, 0.95], interval: NaN },
      { kind: 'curve_queue', tier: 'web', bin: '2', time: [T0], value: [1.8], interval: NaN },
      { kind: 'curve_queue', tier: 'db', bin: '1', time: [T0], value: [0.8], interval: NaN },
    ]);
  });

  it('reads a table of metrics by their names in it', () => {
    const rows = [METRICS.saturation_point, METRICS.max_throughput].map((name) => ({
      labels: { ...WEB, __name__: name },
      time: T0,
      value: 8,
    }));
    expect(readSeries([tableFrame('A', rows)]).series.map(({ kind }) => kind)).toEqual([
      'saturation_point',
      'max_throughput',
    ]);
  });

  it('takes the name of the field where there is nothing else', () => {
    const frame = seriesFrame('', WEB, [1], [3]);
    delete frame.refId;
    frame.fields[1].name = METRICS.queue;
    expect(readSeries([frame]).series.map(({ kind }) => kind)).toEqual(['queue']);
  });

  it('knows that a query was asked from its empty answer', () => {
    const { asked, series } = readSeries([emptyFrame('throughput')]);
    expect([...asked]).toEqual(['throughput']);
    expect(series).toEqual([]);
  });

  it('names the queries that it does not know, each once', () => {
    const { unknown, series } = readSeries([
      seriesFrame('A', WEB, [1], [3]),
      seriesFrame('A', DB, [1], [3]),
      emptyFrame('B'),
    ]);
    expect([...unknown]).toEqual(['A', 'B']);
    expect(series).toEqual([]);
  });

  it('names the kinds whose answer has no times', () => {
    const frame = seriesFrame('curve_queue', WEB, [1], [3]);
    frame.fields = frame.fields.filter((field) => field.type !== FieldType.time);
    const { timeless, series } = readSeries([frame]);
    expect([...timeless]).toEqual(['curve_queue']);
    expect(series).toEqual([]);
  });
});
