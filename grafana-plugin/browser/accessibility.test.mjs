// SPDX-License-Identifier: Apache-2.0
// The rules of axe-core, in both themes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import { firstApp, has, mostFrozen } from './data.mjs';
import {
  drawn,
  FIXED,
  linesOf,
  open,
  panelOf,
  scatterOf,
  screenshot,
  sequence,
  STATES,
  withBrowser,
} from './harness.mjs';
import { findWindow, pointAt, surfaceOf, tooltipOf } from './pointer.mjs';

withBrowser();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The tier with most frozen windows. */
let tier;

before(async () => {
  tier = (await mostFrozen(await firstApp())).tier.name;
});

/** axe-core is put into the page as text, which the page's policy forbids: it is lifted here, and only here. */
const openFree = (t, scheme, query = {}, size = undefined) =>
  open(t, { scheme, query: { ...FIXED, ...query }, csp: false, ...(size && { size }) });

async function check(page) {
  await page.evaluate(AXE);
  const { violations, passes } = await page.evaluate(() => window.axe.run(document));
  assert.ok(passes.length > 10, `${passes.length} rules were applied`);
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target} ${html.slice(0, 120)}`).join('; ')}`
  );
  assert.deepEqual(found, []);
}

for (const scheme of ['dark', 'light']) {
  test(`Accessible/Page/${scheme}`, async (t) => {
    const page = await openFree(t, scheme);
    await drawn(linesOf(panelOf(page, STATES)));
    await drawn(scatterOf(panelOf(page, sequence(tier))));
    await screenshot(page, `page-${scheme}`);
    await check(page);
  });

  test(`Accessible/Phone/${scheme}`, async (t) => {
    const page = await openFree(t, scheme, {}, [390, 844]);
    await drawn(linesOf(panelOf(page, STATES)));
    await screenshot(page, `phone-${scheme}`);
    await check(page);
  });

  test(`Accessible/MainSequence/${scheme}`, async (t) => {
    const page = await openFree(t, scheme, { viewPanel: sequence(tier) });
    const panel = panelOf(page, sequence(tier));
    await drawn(scatterOf(panel));
    const offer = panel.getByRole('button', { name: /^Select .* frozen window/ });
    const offered = (await offer.count()) > 0;
    if (offered) {
      await offer.click();
    }
    assert.ok(await findWindow(page, panel), 'a window is at the pointer');
    await screenshot(page, `sequence-${scheme}`);
    await check(page);
    has(t, offered, 'a frozen window');
  });

  test(`Accessible/States/${scheme}`, async (t) => {
    const page = await openFree(t, scheme, { viewPanel: STATES });
    const panel = panelOf(page, STATES);
    await drawn(linesOf(panel));
    const { width } = await surfaceOf(panel).boundingBox();
    await pointAt(page, surfaceOf(panel), width / 2, 40);
    await tooltipOf(panel).waitFor();
    await screenshot(page, `states-${scheme}`);
    await check(page);
  });

  test(`Accessible/Failure/${scheme}`, async (t) => {
    const page = await open(t, {
      scheme,
      csp: false,
      expected: [/Failed to load resource/, /ERR_FAILED/],
      prepare: (fresh) => fresh.route('**/api/v1/**', (route) => route.abort()),
    });
    await page.getByRole('alert').waitFor();
    await screenshot(page, `failure-${scheme}`);
    await check(page);
  });

  test(`Accessible/Empty/${scheme}`, async (t) => {
    const page = await openFree(t, scheme, { from: 1e12, to: 1e12 + 60000, 'var-tier': tier });
    await panelOf(page, STATES).getByRole('status').waitFor();
    await screenshot(page, `empty-${scheme}`);
    await check(page);
  });
}
