// SPDX-License-Identifier: Apache-2.0
// Prints a line per test as Go does, which the repository's test command counts.

/** The same tests run on the recording and on a running system. */
const DATA = process.env.RECORDED ? 'Recorded' : 'Live';

/** For `node --test --test-reporter`. */
export default async function* reporter(events) {
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') {
      yield data.message;
    } else if (type === 'test:pass' || type === 'test:fail') {
      yield* line(type === 'test:pass', data);
    }
  }
}

function* line(passed, { name, details, skip, todo }) {
  // Files and groups are no tests of their own, unless they fail by themselves.
  const own = details?.error?.failureType;
  if (details?.type === 'suite' || (name.endsWith('.mjs') && (passed || own === 'subtestsFailed'))) {
    return;
  }
  const word = !passed ? 'FAIL' : skip !== undefined || todo !== undefined ? 'SKIP' : 'PASS';
  const seconds = ((details?.duration_ms ?? 0) / 1000).toFixed(2);
  yield `--- ${word}: ${DATA}/${name} (${seconds}s)\n`;
  if (typeof skip === 'string') {
    yield `    ${skip}\n`;
  }
  if (!passed) {
    const { cause } = details.error;
    yield `${String(cause?.stack ?? cause ?? details.error).replace(/^/gm, '    ')}\n`;
  }
}
