// SPDX-License-Identifier: Apache-2.0
// What the page and the panels say when something is missing or wrong.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { firstApp, RANGE, tiersOf } from './data.mjs';
import { drawn, FIXED, linesOf, open, panelOf, scatterOf, sequence, STATES, withBrowser, waitFor } from './harness.mjs';

withBrowser();

let tiers;

before(async () => {
  tiers = await tiersOf(await firstApp());
});

const API = '**/api/v1/**';
/** The browser reports each of these by itself. */
const FAILED = [/Failed to load resource/, /ERR_FAILED/];
const often = { ...FIXED, refresh: '1s' };

const reply = (status, body) => (route) =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) });

test('Failure/PrometheusAwayFromTheStart', async (t) => {
  const page = await open(t, {
    query: often,
    expected: FAILED,
    prepare: (fresh) => fresh.route(API, (route) => route.abort()),
  });
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.equal(await alert.count(), 1, 'one line, not one per panel');
  const words = await alert.innerText();
  assert.match(words, /No data: .* does not answer/);
  assert.match(words, /Check that Prometheus runs/);
  assert.match(words, /tries again every 1s/);
  await page.unroute(API);
  await drawn(linesOf(panelOf(page, STATES)));
  assert.equal(await alert.count(), 0, 'the line goes when there is data again');
});

test('Failure/PrometheusGoesAwayAndReturns', async (t) => {
  const page = await open(t, { query: often, expected: FAILED });
  const lines = linesOf(panelOf(page, STATES));
  const said = await drawn(lines);
  const reason = 'Prometheus at http://localhost:9090 does not answer: connection refused';
  await page.route(API, reply(502, { status: 'error', errorType: 'unavailable', error: reason }));
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.ok((await alert.innerText()).includes(reason), 'in the words of what serves the page');
  assert.equal(await drawn(lines), said, 'what was there stays');
  await page.unroute(API);
  await waitFor(async () => (await alert.count()) === 0);
});

test('Failure/NothingPassesQueriesOn', async (t) => {
  const page = await open(t, {
    expected: FAILED,
    prepare: (fresh) =>
      fresh.route(API, (route) => route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>Not found</h1>' })),
  });
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), /does not answer like Prometheus.*Then press Refresh/s);
  await page.unroute(API);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await drawn(linesOf(panelOf(page, STATES)));
});

/** Lets the page see another dashboard. */
const changed = (change) => (fresh) =>
  fresh.route('**/bottlenecks.json', async (route) => {
    const response = await route.fetch();
    const dashboard = await response.json();
    change(dashboard);
    await route.fulfill({ response, json: dashboard });
  });

test('Failure/QueryThatPrometheusRefuses', async (t) => {
  const page = await open(t, {
    expected: FAILED,
    prepare: changed(({ panels }) => {
      panels.find(({ id }) => String(id) === STATES).targets.find(({ refId }) => refId === 'own_queue').expr = 'sum(';
    }),
  });
  const panel = panelOf(page, STATES);
  await panel.getByRole('status').filter({ hasText: 'Query own_queue: ' }).waitFor();
  const words = await panel.getByRole('status').first().innerText();
  assert.match(words, /parse error/, 'in the words of Prometheus');
  assert.equal(await page.getByRole('alert').count(), 0, 'Prometheus itself is well');
  await drawn(scatterOf(panelOf(page, sequence(tiers[0].name))));
});

test('Failure/OptionalQueryThatPrometheusRefuses', async (t) => {
  const page = await open(t, {
    expected: FAILED,
    prepare: changed(({ panels }) => {
      panels.find(({ id }) => String(id) === STATES).targets.find(({ refId }) => refId === 'gc').expr = 'sum(';
    }),
  });
  const panel = panelOf(page, STATES);
  await drawn(linesOf(panel));
  assert.match(await panel.getByRole('status').first().innerText(), /Query gc: .*parse error/);
});

test('Failure/OneQueryThatTakesTooLong', async (t) => {
  const slow = reply(503, { status: 'error', errorType: 'timeout', error: 'query timed out in expression evaluation' });
  const page = await open(t, {
    expected: FAILED,
    prepare: (fresh) =>
      fresh.route('**/api/v1/query_range', (route) =>
        route.request().postData().includes('nstar%3Atier_state_share') ? slow(route) : route.continue()
      ),
  });
  const panel = panelOf(page, STATES);
  await drawn(linesOf(panel));
  assert.match(await panel.getByRole('status').first().innerText(), /Query state_share: query timed out/);
  assert.equal(await page.getByRole('alert').count(), 0, 'Prometheus answers the others');
  await drawn(scatterOf(panelOf(page, sequence(tiers[0].name))));
});

test('Failure/NoVerdictWhereItsQueriesFail', async (t) => {
  const page = await open(t, {
    expected: FAILED,
    prepare: changed(({ panels }) => {
      const targets = panels.flatMap((panel) => panel.targets ?? []);
      targets
        .filter(({ refId }) => ['verdict', 'response', 'cost', 'share', 'frozen'].includes(refId))
        .forEach((target) => (target.expr = 'sum('));
    }),
  });
  await drawn(linesOf(panelOf(page, STATES)));
  const words = await page.getByTestId('verdict').innerText();
  assert.match(words, /^No verdict can be given\..*query verdict: .*parse error/s);
  const rows = page
    .getByRole('region', { name: 'The last minute' })
    .getByRole('table')
    .filter({ hasText: 'TPmax' })
    .locator('tbody tr');
  assert.deepEqual(
    await rows.locator('td:nth-of-type(1)').allInnerTexts(),
    tiers.map(() => 'no answer'),
    'what is known of the tiers stays'
  );
  assert.equal(await page.getByRole('alert').count(), 0, 'Prometheus itself is well');
});

test('Failure/NoDataInTheRange', async (t) => {
  const before = { from: RANGE.from - 86400000 * 30, to: RANGE.from - 86400000 * 30 + 60000, refresh: '' };
  const page = await open(t, { query: { ...before, 'var-app': 'shop', 'var-tier': ['web', 'db'] } });
  for (const key of [STATES, sequence('web'), sequence('db')]) {
    const words = await panelOf(page, key).getByRole('status').innerText();
    assert.match(words, /No data in this time range/);
    assert.match(words, /nstar_exporter/, 'and what to do');
  }
  assert.match(await page.getByTestId('verdict').innerText(), /No verdict was recorded/);
});

test('Failure/NoTierInTheRange', async (t) => {
  const before = { from: RANGE.from - 86400000 * 30, to: RANGE.from - 86400000 * 30 + 60000, refresh: '' };
  const page = await open(t, { query: before });
  assert.match(await panelOf(page, STATES).getByRole('status').innerText(), /No data in this time range/);
  assert.match(await page.getByTestId('verdict').innerText(), /No verdict was recorded/);
});

test('Failure/DashboardMissing', async (t) => {
  const page = await open(t, {
    expected: FAILED,
    prepare: (fresh) => fresh.route('**/bottlenecks.json', (route) => route.fulfill({ status: 404 })),
  });
  assert.match(
    await page.getByRole('alert').innerText(),
    /cannot start: bottlenecks.json is not beside this page.*make page/
  );
});

test('Failure/PluginMissing', async (t) => {
  const page = await open(t, {
    expected: FAILED,
    prepare: (fresh) => fresh.route('**/plugin/module.js', (route) => route.fulfill({ status: 404 })),
  });
  assert.match(await page.getByRole('alert').innerText(), /cannot start: cannot load .*module.js/);
});

test('Failure/PluginAsksForWhatIsNotThere', async (t) => {
  const page = await open(t, {
    prepare: (fresh) =>
      fresh.route('**/plugin/module.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: 'define(["react", "angular"], () => ({}))' })
      ),
  });
  assert.match(await page.getByRole('alert').innerText(), /asks for angular, which this host does not have/);
});

test('Failure/AddressNamesAServerElsewhere', async (t) => {
  // The harness fails the test if the page asks it.
  const page = await open(t, { query: { ...FIXED, prometheus: 'http://prometheus.example:9090' } });
  assert.match(await page.getByRole('alert').innerText(), /for development only/);
});
