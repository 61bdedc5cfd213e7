// SPDX-License-Identifier: Apache-2.0
// What asked.mjs puts in the place of these names.
declare module 'asked:@grafana/data';
declare module 'asked:@grafana/ui';
