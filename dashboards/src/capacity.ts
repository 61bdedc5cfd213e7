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
import { reached } from './rows/reached.js';
import { allIndicators, whichSaySo } from './rows/indicators.js';
import { tierVariables } from './variables.js';

/** How near an application is to the most that it can serve, and what says so: a question of hours and weeks. */
export function capacity(): Dashboard {
  const dashboard = new DashboardBuilder('Capacity')
    .uid('nstar-capacity')
    .description(
      'Whether an application has reached its capacity, how much headroom is left, and which indicators say so.',
    )
    .tags(['nstar'])
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: 'now-1h', to: 'now' })
    .timezone('browser')
    .refresh('30s')
    .variables(tierVariables)
    .annotation(firing)
    .link(
      new DashboardLinkBuilder('How to read this dashboard')
        .type(DashboardLinkType.Link)
        .icon('doc')
        .url(`${DOCS}/grafana.md`)
        .targetBlank(true),
    );
  lay(dashboard, [reached, whichSaySo, allIndicators]);
  return dashboard.build();
}
