// SPDX-License-Identifier: Apache-2.0

/** Where the documentation is; the alerts' runbook_url begins the same. */
export const DOCS = 'https://github.com/nstar-project/nstar/blob/main/docs';

/** A Markdown link to the runbook of an alert, for descriptions. */
export function runbook(alert: string): string {
  return `[${alert}](${DOCS}/runbooks/${alert}.md)`;
}
