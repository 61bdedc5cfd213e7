// SPDX-License-Identifier: Apache-2.0
import { FieldType } from '@grafana/data';
import { toFrames } from './frames';
import { Result } from './prometheus';

const asked = { refId: 'queue', expr: 'x{tier="tomcat"}', step: 50, legendFormat: '{{tier}}' };
const labels = { __name__: 'x', tier: 'tomcat', app: 'board' };

const matrix: Result = {
  resultType: 'matrix',
  result: [
    {
      metric: labels,
      values: [
        [1795240310.05, '1.5'],
        [1795240310.1, 'NaN'],
        [1795240310.15, '+Inf'],
        [1795240310.2, '-Inf'],
      ],
    },
    { metric: { tier: 'mariadb' }, values: [[1795240310.05, '2']] },
  ],
};

describe('toFrames', () => {
  it('makes a frame per series, with a time field and a number field', () => {
    const [first, second] = toFrames(matrix, asked);
    expect(first.refId).toBe('queue');
    expect(first.length).toBe(4);
    expect(first.fields[0]).toMatchObject({ name: 'Time', type: FieldType.time, config: { interval: 50 } });
    expect(first.fields[0].values).toEqual([1795240310050, 1795240310100, 1795240310150, 1795240310200]);
    expect(first.fields[1]).toMatchObject({ type: FieldType.number, labels });
    expect(first.fields[1].values).toEqual([1.5, NaN, Infinity, -Infinity]);
    expect(second.fields[1].labels).toEqual({ tier: 'mariadb' });
  });

  it('names the number field after the metric, where the answer has its name', () => {
    const [first, second] = toFrames(matrix, asked);
    expect(first.fields[1].name).toBe('x');
    expect(second.fields[1].name).toBe('Value');
  });

  it.each([
    ['{{tier}} of {{ app }}', 'tomcat of board'],
    ['{{none}}', undefined],
    ['__auto', undefined],
    [undefined, 'x{app="board", tier="tomcat"}'],
  ])('writes the legend %s as %s', (legendFormat, name) => {
    const [first] = toFrames(matrix, { ...asked, legendFormat });
    expect(first.fields[1].config.displayNameFromDS).toBe(name);
  });

  it('names a series without labels by its query', () => {
    const [frame] = toFrames(
      { resultType: 'vector', result: [{ metric: {}, value: [1, '0.05'] }] },
      { ...asked, legendFormat: '__auto' }
    );
    expect(frame.fields[1].config.displayNameFromDS).toBe(asked.expr);
    expect(frame.fields[1].values).toEqual([0.05]);
  });

  it('takes a number as an answer', () => {
    const [frame] = toFrames({ resultType: 'scalar', result: [2, '7'] }, asked);
    expect(frame.fields.map(({ values }) => values)).toEqual([[2000], [7]]);
  });

  it('answers with an empty frame where there is no series', () => {
    const frames = toFrames({ resultType: 'matrix', result: [] }, asked);
    expect(frames).toEqual([expect.objectContaining({ refId: 'queue', fields: [], length: 0 })]);
  });
});
