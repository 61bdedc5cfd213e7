// SPDX-License-Identifier: Apache-2.0
// Runs the tests on recording.jsonl, a minute of the demo taken with record.mjs: a Prometheus of their own holds it, so
// that every case that a test needs is there whatever a live system would do at the time.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAMS = process.env.PROMETHEUS_BIN ?? join(import.meta.dirname, '../../.cache/debian/usr/bin');
const [head, ...series] = readFileSync(join(import.meta.dirname, 'recording.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(JSON.parse);

/** The recording in OpenMetrics, a sample per line. */
function openMetrics() {
  const lines = [];
  for (const { metric, runs } of series) {
    const { __name__, ...labels } = metric;
    const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    for (const { start, step, values } of runs) {
      values.forEach((value, i) => lines.push(`${__name__}{${pairs}} ${value} ${(start + i * step) / 1000}`));
    }
  }
  return `${lines.join('\n')}\n# EOF\n`;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Ms for what takes a second on a quiet machine. */
const PATIENCE = 120000;

const ended = (child) => new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));

async function ready(url, child) {
  for (const end = Date.now() + PATIENCE; Date.now() < end && child.exitCode === null;) {
    const answer = await fetch(`${url}/-/ready`).catch(() => null);
    if (answer?.ok) {
      return;
    }
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`${join(PROGRAMS, 'prometheus')} did not become ready within ${PATIENCE / 1000} s`);
}

async function main(directory) {
  const [text, data, config] = ['recording.txt', 'data', 'prometheus.yml'].map((name) => join(directory, name));
  writeFileSync(text, openMetrics());
  writeFileSync(config, '');
  execFileSync(join(PROGRAMS, 'promtool'), ['tsdb', 'create-blocks-from', 'openmetrics', text, data], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${await freePort()}`;
  const prometheus = spawn(
    join(PROGRAMS, 'prometheus'),
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${data}`,
      '--storage.tsdb.retention.time=100y',
      `--web.listen-address=${new URL(url).host}`,
      '--log.level=error',
    ],
    { stdio: 'inherit' }
  );
  const stop = () => prometheus.kill();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await ready(url, prometheus);
    const tests = spawn('npm', ['run', '--silent', 'test-browser'], {
      stdio: 'inherit',
      env: { ...process.env, PROMETHEUS: url, FROM: head.from, TO: head.to, RECORDED: 'yes' },
    });
    return await ended(tests);
  } finally {
    const gone = ended(prometheus);
    stop();
    await gone;
  }
}

const directory = mkdtempSync(join(tmpdir(), 'nstar-recording-'));
try {
  process.exitCode = await main(directory);
} finally {
  rmSync(directory, { recursive: true });
}
