// SPDX-License-Identifier: Apache-2.0
// Builds the page into page/dist: its own bundle, the built panel as it is, the dashboard, and Grafana's icons.
//
//   node page/build.mjs [--plugin DIR] [--out DIR]      (dist and page/dist)
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import esbuild from 'esbuild';
import { asked } from '../host/asked.mjs';
import { leftOut } from './leftOut.mjs';

const here = import.meta.dirname;
const { values } = parseArgs({
  options: {
    plugin: { type: 'string', default: join(here, '../dist') },
    out: { type: 'string', default: join(here, 'dist') },
  },
});
const plugin = resolve(values.plugin);
const out = resolve(values.out);
const dashboard = join(here, '../../dashboards/bottlenecks.json');

if (!existsSync(join(plugin, 'module.js'))) {
  console.error(`${plugin} has no module.js: build the panel first with \`npm run build\``);
  process.exit(1);
}

rmSync(out, { recursive: true, force: true });
const { outputFiles } = await esbuild.build({
  entryPoints: { page: join(here, 'main.tsx') },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.svg': 'dataurl' },
  legalComments: 'linked',
  // zod would test if it may create code from text, and the browser would report that the page's policy forbids it
  banner: { js: 'globalThis.__zod_globalConfig={jitless:true};' },
  write: false,
  logLevel: 'warning',
  plugins: [asked(join(plugin, 'module.js')), leftOut],
});

const bundle = outputFiles.map(({ path, contents }) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
  return `${relative(out, path)} ${kB(contents.length)} (${kB(gzipSync(contents).length)} compressed)`;
});
const beside = {
  'index.html': join(here, 'index.html'),
  'bottlenecks.json': dashboard,
  plugin,
  // Where @grafana/ui looks for them.
  'public/build/img/icons': join(here, '../node_modules/@grafana/ui/dist/public/img/icons'),
};
for (const [name, source] of Object.entries(beside)) {
  cpSync(source, join(out, name), { recursive: true, filter: (file) => !file.endsWith('.map') });
}
// The time range picker asks for this icon, which the package lacks: the mirror image of one that it has.
const arrows = join(out, 'public/build/img/icons/unicons');
const right = readFileSync(join(arrows, 'angle-double-right.svg'), 'utf8');
writeFileSync(
  join(arrows, 'angle-double-left.svg'),
  right.replace('<path ', '<path transform="translate(24) scale(-1 1)" ')
);
console.log(bundle.join('\n'));

function kB(bytes) {
  return `${Math.round(bytes / 1024)} kB`;
}
