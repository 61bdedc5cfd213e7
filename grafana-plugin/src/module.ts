// SPDX-License-Identifier: Apache-2.0
import { PanelPlugin } from '@grafana/data';
import { Panel } from './components/Panel';
import { Options } from './types';

export const plugin = new PanelPlugin<Options>(Panel).setPanelOptions((builder) => {
  builder
    .addRadio({
      path: 'view',
      name: 'View',
      description: 'What to draw from the windows.',
      defaultValue: 'sequence',
      settings: {
        options: [
          { value: 'sequence', label: 'Main sequence', description: 'Throughput against queue length' },
          { value: 'states', label: 'Saturation state', description: 'A time line of states per tier' },
        ],
      },
    })
    .addRadio({
      path: 'queue',
      name: 'Queue',
      description:
        'Own: requests that wait for no tier behind; N* and the states refer to this queue. Total: all requests in ' +
        'the tier.',
      defaultValue: 'own',
      settings: {
        options: [
          { value: 'own', label: 'Own' },
          { value: 'total', label: 'Total' },
        ],
      },
    })
    .addRadio({
      path: 'queueScale',
      name: 'Queue scale',
      description: 'Logarithmic shows short queues in more detail, and 0 too.',
      defaultValue: 'linear',
      settings: {
        options: [
          { value: 'linear', label: 'Linear' },
          { value: 'log', label: 'Logarithmic' },
        ],
      },
      showIf: (options) => options.view !== 'states',
    })
    .addBooleanSwitch({
      path: 'showCurve',
      name: 'Curve',
      description: 'Draw the recorded main sequence over the points.',
      defaultValue: true,
      showIf: (options) => options.view !== 'states',
    })
    .addBooleanSwitch({
      path: 'showQueue',
      name: 'Queue length',
      description: 'Draw the queue length in each lane; the own queue has a dashed line at N*.',
      defaultValue: true,
      showIf: (options) => options.view === 'states',
    })
    .addBooleanSwitch({
      path: 'showGc',
      name: 'Garbage collection',
      description: 'Draw the share of each window spent in garbage collection below the lane, if it is known.',
      defaultValue: true,
      showIf: (options) => options.view === 'states',
    })
    .addBooleanSwitch({
      path: 'showLegend',
      name: 'Legend',
      description: 'Name, saturation point and shares of each tier; a click on a tier hides it.',
      defaultValue: true,
    });
});
