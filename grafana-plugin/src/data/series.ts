// SPDX-License-Identifier: Apache-2.0
import { DataFrame, Field, FieldType, Labels } from '@grafana/data';
import { Kind, kindOf } from './kind';

/** One time series as it came: times may be unsorted, both may have holes. */
export interface Series {
  kind: Kind;
  labels: Labels;
  time: ArrayLike<number | null>;
  value: ArrayLike<number | null>;
  /** Step of the query, ms; NaN if unknown. */
  interval: number;
}

/** The content of the answers. */
export interface Answers {
  series: Series[];
  /** Kinds for which there is an answer, even an empty one. */
  asked: Set<Kind>;
  /** Names of queries that the panel does not know. */
  unknown: Set<string>;
  /** Kinds with an answer that has no field with times. */
  timeless: Set<Kind>;
}

/**
 * Takes the frames apart into series. Knows the shapes in which Grafana's Prometheus data source answers: one frame per
 * series or one frame with a field per series, both with the labels on the field of values; or a table, with a column
 * for each label.
 */
export function readSeries(frames: readonly DataFrame[]): Answers {
  const answers: Answers = { series: [], asked: new Set(), unknown: new Set(), timeless: new Set() };
  for (const frame of frames) {
    readFrame(frame, answers);
  }
  return answers;
}

function readFrame(frame: DataFrame, answers: Answers) {
  const values = frame.fields.filter((field) => field.type === FieldType.number);
  if (values.length === 0) {
    // Grafana's answer to a query without result.
    note(kindOf(frame.refId), frame.refId, answers);
    return;
  }
  const time = frame.fields.find((field) => field.type === FieldType.time);
  const columns = frame.fields.filter((field) => field.type === FieldType.string);
  for (const value of values) {
    for (const { labels, rows } of rowsByLabels(columns, frame.length)) {
      const all = { ...value.labels, ...labels };
      const kind = kindOf(frame.refId, all.__name__, value.name);
      note(kind, frame.refId ?? value.name, answers);
      if (kind && time) {
        answers.series.push({
          kind,
          labels: all,
          time: pick(time.values, rows),
          value: pick(value.values, rows),
          interval: time.config?.interval ?? NaN,
        });
      } else if (kind) {
        answers.timeless.add(kind);
      }
    }
  }
}

function note(kind: Kind | null, name: string | undefined, answers: Answers) {
  if (kind) {
    answers.asked.add(kind);
  } else if (name) {
    answers.unknown.add(name);
  }
}

/** The rows of a table that carry the same labels; null stands for all rows. */
interface Rows {
  labels: Labels;
  rows: number[] | null;
}

function rowsByLabels(columns: Field[], length: number): Rows[] {
  if (columns.length === 0) {
    return [{ labels: {}, rows: null }];
  }
  const groups = new Map<string, { labels: Labels; rows: number[] }>();
  for (let row = 0; row < length; row++) {
    const texts = columns.map((column) => column.values[row] ?? '');
    const key = JSON.stringify(texts);
    let group = groups.get(key);
    if (!group) {
      group = { labels: Object.fromEntries(columns.map((column, i) => [column.name, texts[i]])), rows: [] };
      groups.set(key, group);
    }
    group.rows.push(row);
  }
  return [...groups.values()];
}

function pick(values: ArrayLike<number | null>, rows: number[] | null): ArrayLike<number | null> {
  return rows ? rows.map((row) => values[row]) : values;
}
