// SPDX-License-Identifier: Apache-2.0
// Parts of @grafana/ui and @grafana/data that the page would carry, or fetch, for nothing: two thirds of the bundle.

/** Loaded by components for code, maps and other languages, and only when those are shown. */
const NEVER_SHOWN =
  /^(@codemirror\/|@lezer\/|@monaco-editor\/|@uiw\/react-codemirror|codemirror|monaco-editor|ol\/|ol$|i18next-pseudo)/;

/** All time zones since 1900 take 730 kB; those of the years around now 40. */
const TIME_ZONES = 'moment-timezone/builds/moment-timezone-with-data-10-year-range.js';

/** Make the browser fetch Grafana's typefaces, which are in no package. If Inter is installed, it is used. */
const FONTS = /GlobalStyles\/fonts\.mjs$/;

/** @type {import('esbuild').Plugin} */
export const leftOut = {
  name: 'left out',
  setup(build) {
    build.onResolve({ filter: NEVER_SHOWN }, ({ path }) => ({ path, namespace: 'left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};' }));
    build.onLoad({ filter: FONTS }, () => ({ contents: 'export const getFontStyles = () => [];' }));
    build.onResolve({ filter: /^moment-timezone$/ }, ({ resolveDir, kind }) =>
      build.resolve(TIME_ZONES, { resolveDir, kind })
    );
  },
};
