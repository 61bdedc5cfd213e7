// SPDX-License-Identifier: Apache-2.0
// Serves the built page as `nstartool serve` does: files, queries passed on to Prometheus, the same policy on what the
// page may load. By hand: node browser/serve.mjs [PORT] [DIRECTORY], PROMETHEUS=URL.
import { createReadStream, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';

export const PROMETHEUS = process.env.PROMETHEUS ?? 'http://127.0.0.1:19090';
export const PAGE = join(import.meta.dirname, '../page/dist');

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; " +
  "object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Resolves to the server once it listens on loopback. */
export function serve({ port = 0, directory = PAGE, prometheus = PROMETHEUS } = {}) {
  const server = createServer((question, answer) => {
    answer.setHeader('Content-Security-Policy', POLICY);
    answer.setHeader('X-Content-Type-Options', 'nosniff');
    const { pathname } = new URL(question.url, 'http://localhost');
    if (pathname.startsWith('/api/v1/')) {
      passOn(question, answer, prometheus);
    } else {
      sendFile(answer, join(directory, normalize(pathname === '/' ? '/index.html' : pathname)));
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function passOn(question, answer, prometheus) {
  const { host, ...headers } = question.headers;
  const onward = request(new URL(question.url, prometheus), { method: question.method, headers }, (reply) => {
    answer.writeHead(reply.statusCode, reply.headers);
    reply.pipe(answer);
  });
  onward.on('error', (error) => {
    answer.writeHead(502, { 'Content-Type': 'application/json' });
    answer.end(
      JSON.stringify({ status: 'error', error: `Prometheus at ${prometheus} does not answer: ${error.message}` })
    );
  });
  answer.on('close', () => onward.destroy());
  question.pipe(onward);
}

function sendFile(answer, file) {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    answer.writeHead(404).end();
    return;
  }
  answer.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(answer);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [port = '8080', directory] = process.argv.slice(2);
  const server = await serve({ port: Number(port), directory });
  console.log(`http://127.0.0.1:${server.address().port}/ with the data of ${PROMETHEUS}`);
}
