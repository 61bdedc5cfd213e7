// SPDX-License-Identifier: Apache-2.0
import { AnnotationQueryBuilder } from '@grafana/grafana-foundation-sdk/dashboard';

import { ALARM } from './colours.js';
import { alerts } from './queries.js';
import { DATASOURCE, line } from './target.js';

/** When Nstar's alerts began to fire, on every time axis. */
export const firing = new AnnotationQueryBuilder()
  .name('Alerts')
  .datasource(DATASOURCE)
  .enable(true)
  .iconColor(ALARM)
  .target(line('Alerts', alerts.starts, '', '5s'))
  .titleFormat('{{alertname}}')
  .tagKeys('tier,from,to,reason');
