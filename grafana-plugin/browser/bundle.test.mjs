// SPDX-License-Identifier: Apache-2.0
// What was built: the page's bundle and what lies beside it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { asked } from '../host/asked.mjs';
import { PAGE } from './serve.mjs';

const directory = process.env.PAGE ?? PAGE;
const read = (name) => readFileSync(join(directory, name));

test('Bundle/HasOnlyWhatThePanelAsksFor', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'nstar-'));
  t.after(() => rm(place, { recursive: true }));
  const panel = join(place, 'module.js');
  writeFileSync(panel, 'define(["@grafana/ui"],(e)=>e.useTheme2()&&e.Tooltip&&e.NotThere)');
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "asked:@grafana/ui"' },
    bundle: true,
    format: 'esm',
    packages: 'external',
    write: false,
    plugins: [asked(panel)],
  });
  const names = outputFiles[0].text.match(/import \{([^}]*)\} from "@grafana\/ui"/)[1];
  assert.deepEqual(
    names
      .split(',')
      .map((name) => name.trim())
      .sort(),
    ['Tooltip', 'useTheme2']
  );
});

test('Bundle/IsSmall', () => {
  const compressed = gzipSync(read('page.js')).length / 1024;
  assert.ok(compressed < 700, `${Math.round(compressed)} kB compressed`);
  assert.ok(!read('page.js').includes('monaco'), 'without the editor of @grafana/ui');
});

test('Bundle/HasThePanelAndTheDashboardAsTheyAre', () => {
  const root = join(import.meta.dirname, '..');
  assert.deepEqual(read('plugin/module.js'), readFileSync(join(root, 'dist/module.js')));
  assert.deepEqual(read('bottlenecks.json'), readFileSync(join(root, '../dashboards/bottlenecks.json')));
});

test('Bundle/NeedsNoScriptWithinThePage', () => {
  const scripts = [
    ...read('index.html')
      .toString()
      .matchAll(/<script([^>]*)>([^<]*)/g),
  ];
  assert.ok(scripts.length > 0);
  for (const [, attributes, text] of scripts) {
    assert.match(attributes, / src=/);
    assert.equal(text.trim(), '');
  }
});
