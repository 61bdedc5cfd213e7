// SPDX-License-Identifier: Apache-2.0
import { MappingType } from '@grafana/data';
import { Panel } from '../host/dashboard';
import { wordsOf } from './words';

const mappings = [{ type: MappingType.ValueToText, options: { stopped: { text: 'stops' } } }];
const panel = {
  fieldConfig: {
    defaults: {},
    overrides: [
      {
        matcher: { id: 'byName', options: 'Cause' },
        properties: [
          { id: 'noValue', value: '-' },
          { id: 'mappings', value: mappings },
        ],
      },
      { matcher: { id: 'byName', options: 'Tier' }, properties: [{ id: 'noValue', value: '-' }] },
    ],
  },
} as unknown as Panel;

describe('wordsOf', () => {
  it("has the dashboard's words for a value", () => {
    expect(wordsOf(panel, 'Cause')('stopped')).toBe('stops');
  });

  it('has the value where the dashboard has no words', () => {
    expect(wordsOf(panel, 'Cause')('noisy_neighbour')).toBe('noisy neighbour');
    expect(wordsOf(panel, 'Tier')('stopped')).toBe('stopped');
    expect(wordsOf(undefined, 'Cause')('stopped')).toBe('stopped');
  });
});
