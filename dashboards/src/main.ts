// SPDX-License-Identifier: Apache-2.0
//
// Writes the dashboards, or with --check compares them with what is committed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { bottlenecks } from './bottlenecks.js';
import { capacity } from './capacity.js';
import { tidy } from './tidy.js';

const dashboards = { 'bottlenecks.json': bottlenecks(), 'capacity.json': capacity() };
const check = process.argv.includes('--check');

for (const [name, dashboard] of Object.entries(dashboards)) {
  const file = join(process.cwd(), name);
  const text = `${JSON.stringify(tidy(dashboard), null, 2)}\n`;
  if (!check) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') === text) {
    console.log(`--- PASS: ${name} is what the code generates`);
  } else {
    console.log(`--- FAIL: ${name} is not what the code generates; run make dashboards`);
    process.exitCode = 1;
  }
}
