// SPDX-License-Identifier: Apache-2.0
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
} from '@grafana/grafana-foundation-sdk/dashboard';

import { firing } from './annotations.js';
import { lay } from './layout.js';
import { DOCS } from './links.js';
import { exporters } from './rows/exporter.js';
import { glance } from './rows/glance.js';
import { past } from './rows/history.js';
import { sequences } from './rows/sequences.js';
import { timeLines } from './rows/states.js';
import { turnsAndCauses } from './rows/turns.js';
import { variables } from './variables.js';

/** From the question of the night (is it us, and who?) down to the history and the measuring itself. */
export function bottlenecks(): Dashboard {
  const dashboard = new DashboardBuilder('Bottlenecks')
    .uid('nstar-bottlenecks')
    .description('Whether anything is wrong, where requests wait, for how long and why: Nstar in windows of 50 ms.')
    .tags(['nstar'])
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: 'now-5m', to: 'now' })
    .timezone('browser')
    .refresh('5s')
    .variables(variables)
    .annotation(firing)
    .link(
      new DashboardLinkBuilder('How to read this dashboard')
        .type(DashboardLinkType.Link)
        .icon('doc')
        .url(`${DOCS}/grafana.md`)
        .targetBlank(true),
    );
  lay(dashboard, [glance, timeLines, sequences, turnsAndCauses, past, exporters]);
  return dashboard.build();
}
