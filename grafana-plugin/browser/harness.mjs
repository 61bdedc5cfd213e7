// SPDX-License-Identifier: Apache-2.0
// One browser and one server per file of tests; a fresh page for each test, which must stay free of errors.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { launch } from './chromium.mjs';
import { RANGE } from './data.mjs';
import { PAGE, serve } from './serve.mjs';

const DASHBOARD = JSON.parse(readFileSync(join(import.meta.dirname, '../../dashboards/bottlenecks.json'), 'utf8'));

let browser;
let server;

/** Starts browser and server before the tests of a file and ends them after. */
export function withBrowser() {
  before(async () => {
    server = await serve({ directory: process.env.PAGE ?? PAGE });
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });
}

/** The range under test, and no refresh in between. */
export const FIXED = { from: RANGE.from, to: RANGE.to, refresh: '' };

/**
 * Opens the page. When the test ends, it fails if the browser reported an error or asked another server.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} [options]
 * @param {Record<string, string | number | string[]>} [options.query] parameters of the address
 * @param {'dark' | 'light'} [options.scheme] what the system prefers
 * @param {RegExp[]} [options.expected] errors that belong to the test
 * @param {(page: import('playwright-core').Page) => Promise<void>} [options.prepare] before the page loads
 */
export async function open(
  t,
  { query = FIXED, scheme = 'dark', size = [1400, 1000], expected = [], prepare, csp = true } = {}
) {
  const context = await browser.newContext({
    viewport: { width: size[0], height: size[1] },
    colorScheme: scheme,
    timezoneId: 'UTC',
    bypassCSP: !csp,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const origin = `http://127.0.0.1:${server.address().port}`;
  const problems = [];
  const report = (text) => !expected.some((pattern) => pattern.test(text)) && problems.push(text);
  page.on('console', (message) => message.type() === 'error' && report(`${message.text()} ${message.location().url}`));
  page.on('pageerror', (error) => report(error.stack));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:') {
      problems.push(`asked another server: ${request.url()}`);
    }
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(problems, [], 'the browser reported errors');
  });
  await prepare?.(page);
  await page.goto(`${origin}/${search(query)}`);
  return page;
}

function search(query) {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    [value].flat().forEach((one) => form.append(name, one));
  }
  return `?${form}`;
}

/** A panel by its key: the id in the dashboard, and for a repeated one its value. */
export const panelOf = (page, key) => page.getByTestId(`panel ${key}`);

/** The id of our panel with a view, as the dashboard has it. */
const idOf = (view) => DASHBOARD.panels.find(({ options }) => options?.view === view).id;

export const STATES = `${idOf('states')}`;
export const sequence = (tier) => `${idOf('sequence')}-${tier}`;

/** Canvas of a main sequence; its label says what is drawn. */
export const scatterOf = (panel) => panel.getByRole('img', { name: /^Main sequence/ });

/** Time lines; their label says what is drawn. */
export const linesOf = (panel) => panel.getByRole('img', { name: /^Saturation state/ });

export const drawn = async (picture) => {
  await picture.waitFor();
  return picture.getAttribute('aria-label');
};

/** Ms until something that comes in a second on a quiet machine counts as not coming: machines may be very busy. */
const PATIENCE = 120000;

/** Waits until a condition holds. */
export async function waitFor(condition, patience = PATIENCE) {
  for (const end = Date.now() + patience; !(await condition());) {
    assert.ok(Date.now() < end, `in vain for ${patience / 1000} s: ${condition}`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

/** Keeps a picture of the page where $SCREENSHOTS says. */
export async function screenshot(page, name, options = { fullPage: true }) {
  const directory = process.env.SCREENSHOTS;
  if (directory) {
    mkdirSync(directory, { recursive: true });
    await page.screenshot({ path: join(directory, `${name}.png`), ...options });
  }
}
