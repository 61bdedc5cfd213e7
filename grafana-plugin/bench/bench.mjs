// SPDX-License-Identifier: Apache-2.0
//
// How long the main sequence takes to draw, beside the way of Grafana's own XY chart, in Chromium without GPU.
//
//   node bench/bench.mjs
//
// A first draw is everything from the windows in typed arrays to pixels: uPlot's construction with axes and crosshair,
// placing, counting, colouring, curves, lines and labels. A redraw is other data of the same size in the same plot. The
// index for the pointer is not in it: it is built when the pointer first moves over the plot, the XY chart's while
// drawing. Fetching and reading frames is in neither; reading has a figure of its own. Each size has a page of its own,
// so its first round is cold; no round is left out.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launch } from '../browser/chromium.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const SIZES = [3600, 20_000, 100_000];
const ROUNDS = 9;
const ATTEMPTS = 3;
/** Milliseconds, medians, for the largest size. */
const AIMS = { first: 20, redraw: 12 };
const READ_AIM = 100;

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'page.ts')],
    bundle: true,
    write: false,
    outdir: here,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const text = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text;
  const script = text('.js').replaceAll('</script', '<\\/script');
  const head = `<!doctype html><meta charset="utf-8"><style>${text('.css')}</style>`;
  return `${head}<script>${script}</script><body></body>`;
}

/** Serves one page on loopback; resolves to its address and a way to end. */
async function serve(html) {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

async function measure(browser, address, count) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 500 } });
  await page.goto(address);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await page.evaluate(([size, nth]) => window.round(size, nth), [count, round]));
  }
  const frozen = await page.evaluate((size) => window.frozenShare(size), count);
  await page.close();
  const figures = (name, what) => rounds.map((round) => round[name][what]).sort((a, b) => a - b);
  return { count, frozen, figures };
}

/** How long reading takes, in this process: it draws nothing. Of @grafana/data it needs one enumeration. */
async function reading(count) {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'read.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [
      {
        name: 'grafana',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^@grafana\/data$/ }, () => ({ path: 'data', namespace: 'grafana' }));
          onLoad({ filter: /.*/, namespace: 'grafana' }, () => ({
            contents: "export const FieldType = { time: 'time', number: 'number', string: 'string' };",
          }));
        },
      },
    ],
  });
  const { readTimes } = await import(`data:text/javascript;base64,${btoa(outputFiles[0].text)}`);
  return readTimes(count, ROUNDS).sort((a, b) => a - b);
}

const median = (sorted) => sorted[Math.floor(sorted.length / 2)];
const cell = (sorted) =>
  `${median(sorted).toFixed(1)} (${sorted[0].toFixed(1)} to ${sorted[sorted.length - 1].toFixed(1)})`;

/** The aims that the last measurement missed. */
function missed(results) {
  const { figures } = results[results.length - 1];
  return Object.entries(AIMS).filter(([what, aim]) => median(figures('ours', what)) > aim);
}

function print(results) {
  const rows = [['points', 'frozen', 'draw', 'ours, ms', 'XY chart way, ms', 'ratio']];
  for (const { count, frozen, figures } of results) {
    for (const what of ['first', 'redraw']) {
      const [ours, theirs] = [figures('ours', what), figures('XY chart way', what)];
      const ratio = `${(median(theirs) / median(ours)).toFixed(0)}x`;
      rows.push([String(count), `${(100 * frozen).toFixed(1)} %`, what, cell(ours), cell(theirs), ratio]);
    }
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  rows.forEach((row) =>
    console.log(
      row
        .map((text, column) => text.padEnd(widths[column]))
        .join('  ')
        .trimEnd()
    )
  );
}

const cpus = (await readFile('/proc/cpuinfo', 'utf8')).match(/^processor/gm)?.length ?? '?';
const server = await serve(await bundle());
const browser = await launch();
try {
  console.log(
    `Chromium ${browser.version()} without GPU, ${cpus} CPUs with load ${loadavg()[0].toFixed(1)}, median and ` +
      `range of ${ROUNDS} rounds\n`
  );
  const results = [];
  for (const count of SIZES) {
    results.push(await measure(browser, server.address, count));
  }
  const largest = SIZES[SIZES.length - 1];
  while (missed(results).length > 0 && results.length < SIZES.length + ATTEMPTS - 1) {
    results.push(await measure(browser, server.address, largest));
  }
  print(results);
  const read = await reading(largest);
  console.log(`\nreading ${largest} windows: ${cell(read)} ms`);
  if (median(read) > READ_AIM) {
    console.error(`missed: reading them takes more than ${READ_AIM} ms`);
    process.exitCode = 1;
  }
  for (const [what, aim] of missed(results)) {
    console.error(`\nmissed: ${what} of ${largest} points takes more than ${aim} ms`);
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  server.close();
}
