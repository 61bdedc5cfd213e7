// SPDX-License-Identifier: Apache-2.0
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  type VariableModel,
} from '@grafana/grafana-foundation-sdk/dashboard';

import { firing, restarted } from './annotations.js';
import { DOCS } from './links.js';

/** How a dashboard differs from the others, besides its rows. */
interface Head {
  title: string;
  uid: string;
  description: string;
  /** The beginning of what is shown at first; it ends now. */
  from: string;
  refresh: string;
  variables: Builder<VariableModel>[];
}

/** Begins a dashboard: what all have in common. */
export function dashboard(head: Head): DashboardBuilder {
  return new DashboardBuilder(head.title)
    .uid(head.uid)
    .description(head.description)
    .tags(['nstar'])
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: head.from, to: 'now' })
    .timezone('browser')
    .refresh(head.refresh)
    .variables(head.variables)
    .annotation(firing)
    .annotation(restarted)
    .link(
      new DashboardLinkBuilder('How to read this dashboard')
        .type(DashboardLinkType.Link)
        .icon('doc')
        .url(`${DOCS}/grafana.md`)
        .targetBlank(true),
    );
}
