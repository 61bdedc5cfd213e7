// SPDX-License-Identifier: Apache-2.0
import { AnnotationQueryBuilder } from '@grafana/grafana-foundation-sdk/dashboard';

import { ALARM, NOTED } from './colours.js';
import { alerts, restarts } from './queries.js';
import { DATASOURCE, line } from './target.js';

// Two evaluations of the alerts: one that was missed is no new start.
const STEP = '10s';

/** When Nstar's alerts began to fire, on every time axis: the end of the step in which they did. */
export const firing = new AnnotationQueryBuilder()
  .name('Alerts')
  .datasource(DATASOURCE)
  .enable(true)
  .iconColor(ALARM)
  .target(line('Alerts', alerts.starts, '', STEP))
  .titleFormat('{{alertname}}')
  .tagKeys('app,tier,from,to,reason,instance');

/** When servers were started anew: requests that they had were lost, and a new one is slow until it has warmed up. */
export const restarted = new AnnotationQueryBuilder()
  .name('Restarts')
  .datasource(DATASOURCE)
  .enable(true)
  .iconColor(NOTED)
  .target(line('Restarts', restarts, '', STEP))
  .titleFormat('{{tier}} was restarted')
  .tagKeys('app');
