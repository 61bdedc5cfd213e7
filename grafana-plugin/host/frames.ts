// SPDX-License-Identifier: Apache-2.0
// Answers of Prometheus as the data frames that Grafana's Prometheus data source makes of them: a frame per series with
// a time field, which carries the step, and a number field, which carries the labels.
import { DataFrame, DataFrameType, Field, FieldType } from '@grafana/data';
import { Labels, Result, Sample } from './prometheus';

/** What a frame says of the query that it answers. */
export interface Asked {
  refId: string;
  /** With all variables filled in. */
  expr: string;
  /** ms; instant queries have one, too. */
  step: number;
  legendFormat?: string;
}

export function toFrames(answer: Result, asked: Asked): DataFrame[] {
  const frames = seriesOf(answer).map(({ labels, samples }) => toFrame(labels, samples, answer.resultType, asked));
  // An answer without series is still an answer to this query.
  return frames.length > 0
    ? frames
    : [{ refId: asked.refId, meta: meta(answer.resultType, asked), fields: [], length: 0 }];
}

interface Series {
  labels: Labels;
  samples: Sample[];
}

function seriesOf(answer: Result): Series[] {
  switch (answer.resultType) {
    case 'matrix':
      return answer.result.map(({ metric, values }) => ({ labels: metric, samples: values ?? [] }));
    case 'vector':
      return answer.result.map(({ metric, value }) => ({ labels: metric, samples: value ? [value] : [] }));
    default:
      return [{ labels: {}, samples: [answer.result] }];
  }
}

function toFrame(labels: Labels, samples: Sample[], resultType: string, asked: Asked): DataFrame {
  const time = samples.map(([seconds]) => Math.round(seconds * 1000));
  const value = samples.map(([, text]) => toNumber(text));
  const displayNameFromDS = legend(labels, asked);
  const fields: Field[] = [
    { name: 'Time', type: FieldType.time, config: { interval: asked.step }, values: time },
    {
      // The name of the metric where the answer has one, which functions like rate() drop.
      name: labels.__name__ ?? 'Value',
      type: FieldType.number,
      config: displayNameFromDS ? { displayNameFromDS } : {},
      labels,
      values: value,
    },
  ];
  return { refId: asked.refId, meta: meta(resultType, asked), fields, length: samples.length };
}

function meta(resultType: string, { expr, step }: Asked): DataFrame['meta'] {
  return {
    type: resultType === 'matrix' ? DataFrameType.TimeSeriesMulti : DataFrameType.NumericMulti,
    typeVersion: [0, 1],
    custom: { resultType, calculatedMinStep: step },
    executedQueryString: `Expr: ${expr}\nStep: ${step}ms`,
  };
}

/** Prometheus writes values that JSON has no number for as NaN, +Inf and -Inf. */
function toNumber(text: string): number {
  return text.endsWith('Inf') ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text);
}

/** The name of a series by the query's legend: a template, `__auto` (left to the panel), or none (labels in full). */
function legend(labels: Labels, { legendFormat, expr }: Asked): string | undefined {
  if (legendFormat && legendFormat !== '__auto') {
    return legendFormat.replace(/\{\{\s*(.+?)\s*\}\}/g, (_, label) => labels[label] ?? '') || undefined;
  }
  const { __name__: metric = '', ...rest } = labels;
  const names = Object.keys(rest).sort();
  if (names.length === 0) {
    return metric || expr;
  }
  return legendFormat ? undefined : `${metric}{${names.map((name) => `${name}="${rest[name]}"`).join(', ')}}`;
}
