// SPDX-License-Identifier: Apache-2.0
import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';

import { dashboard } from './dashboard.js';
import { lay } from './layout.js';
import { allIndicators, whichSaySo } from './rows/indicators.js';
import { reached } from './rows/reached.js';
import { tierVariables } from './variables.js';

/** How near an application is to the most that it can serve, and what says so: a question of hours and weeks. */
export function capacity(): Dashboard {
  const board = dashboard({
    title: 'Capacity',
    uid: 'nstar-capacity',
    description:
      'Whether an application has reached its capacity, how much headroom is left, and which indicators say so.',
    from: 'now-1h',
    refresh: '30s',
    variables: tierVariables,
  });
  lay(board, [reached, whichSaySo, allIndicators]);
  return board.build();
}
