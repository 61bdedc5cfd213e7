// SPDX-License-Identifier: Apache-2.0
import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';

import { dashboard } from './dashboard.js';
import { lay } from './layout.js';
import { coresAndCaches } from './rows/cores.js';
import { exporters } from './rows/exporter.js';
import { glance } from './rows/glance.js';
import { past } from './rows/history.js';
import { sequences } from './rows/sequences.js';
import { timeLines } from './rows/states.js';
import { turnsAndCauses } from './rows/turns.js';
import { variables } from './variables.js';

/** From the question of the night (is it us, and who?) down to the history and the measuring itself. */
export function bottlenecks(): Dashboard {
  const board = dashboard({
    title: 'Bottlenecks',
    uid: 'nstar-bottlenecks',
    description: 'Whether anything is wrong, where requests wait, for how long and why: Nstar in windows of 50 ms.',
    from: 'now-5m',
    refresh: '5s',
    variables,
  });
  lay(board, [glance, timeLines, sequences, turnsAndCauses, past, coresAndCaches, exporters]);
  return board.build();
}
