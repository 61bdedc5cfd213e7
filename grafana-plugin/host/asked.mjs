// SPDX-License-Identifier: Apache-2.0
// Grafana has all of @grafana/ui in memory; a page of ours would have to load it. This plugin of esbuild makes
// `asked:@grafana/ui` stand for those exports of @grafana/ui whose names occur in a built dist/module.js, so that the
// rest stays out of the bundle. A name that occurs for another reason does no harm.
import { readFileSync } from 'node:fs';

/**
 * @param {string} built path of dist/module.js
 * @returns {import('esbuild').Plugin}
 */
export function asked(built) {
  return {
    name: 'asked',
    setup(build) {
      build.onResolve({ filter: /^asked:/ }, ({ path }) => ({ path: path.slice('asked:'.length), namespace: 'asked' }));
      build.onLoad({ filter: /.*/, namespace: 'asked' }, async ({ path }) => {
        const mentioned = namesIn(readFileSync(built, 'utf8'));
        const names = (await exportsOf(build.esbuild, path)).filter((name) => mentioned.has(name));
        return { contents: `export { ${names.join(', ')} } from '${path}';`, resolveDir: import.meta.dirname };
      });
    },
  };
}

/** Everything in a script that could be a name. */
export function namesIn(script) {
  return new Set(script.match(/[A-Za-z_$][\w$]*/g));
}

/** What an ES module exports: esbuild reads its main file and nothing that is imported there. */
async function exportsOf(esbuild, name) {
  const { metafile } = await esbuild.build({
    stdin: { contents: `export * from '${name}'`, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    write: false,
    metafile: true,
    outdir: '.',
    plugins: [
      {
        name: 'main file only',
        setup: (build) =>
          build.onResolve({ filter: /.*/ }, ({ importer, path }) =>
            importer === '<stdin>' ? null : { path, external: true }
          ),
      },
    ],
  });
  return Object.values(metafile.outputs)[0].exports;
}
