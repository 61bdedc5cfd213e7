// SPDX-License-Identifier: Apache-2.0
// The page as a whole: its controls, its address, its words.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { firstApp, has, instant, RANGE, tiersOf, value } from './data.mjs';
import { drawn, FIXED, linesOf, open, panelOf, scatterOf, sequence, STATES, withBrowser, waitFor } from './harness.mjs';
import { number, rounds, share } from './pointer.mjs';

withBrowser();

let app;
let tiers;

before(async () => {
  app = await firstApp();
  tiers = await tiersOf(app);
});

const parameters = (page) => new URL(page.url()).searchParams;

async function opened(t, more) {
  const page = await open(t, more);
  await drawn(linesOf(panelOf(page, STATES)));
  return page;
}

const panels = (page) => page.getByTestId(/^panel /);

test('Page/BeginsWithTheLastTwoMinutesEveryFiveSeconds', async (t) => {
  let asked = 0;
  const page = await open(t, {
    query: {},
    prepare: async (fresh) => fresh.on('request', (request) => request.url().includes('/label/tier/') && asked++),
  });
  await page.getByRole('button', { name: /Last 2 minutes/ }).waitFor();
  await page.getByRole('button', { name: /current interval 5 seconds/ }).waitFor();
  assert.equal(new URL(page.url()).search, '');
  await waitFor(() => asked >= 2);
});

test('Page/ShowsThePanelsOfTheDashboard', async (t) => {
  const page = await opened(t);
  const titles = await panels(page).getByRole('heading').allInnerTexts();
  assert.deepEqual(titles, ['States of every window', ...tiers.map(({ name }) => `Main sequence of ${name}`).sort()]);
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Bottlenecks');
});

const lastMinute = (page) => page.getByRole('region', { name: 'The last minute' });

/** A table of the last minute: the cells of each row by the head of their column. */
async function readTable(page, head) {
  const table = lastMinute(page)
    .getByRole('table')
    .filter({ has: page.getByRole('columnheader', { name: head, exact: true }) });
  const heads = await table.locator('thead th').allInnerTexts();
  return Promise.all(
    (await table.locator('tbody tr').all()).map(async (row) => {
      const cells = await row.locator('th, td').allInnerTexts();
      return Object.fromEntries(heads.map((name, column) => [name.trim(), cells[column].trim()]));
    })
  );
}

test('Page/TableSaysWhatWasRecorded', async (t) => {
  const page = await opened(t);
  const rows = await readTable(page, 'TPmax');
  assert.equal(rows.length, tiers.length);
  for (const [i, tier] of tiers.entries()) {
    const said = rows[i];
    assert.equal(said.Tier, tier.name);
    const labels = `app="${app}",tier="${tier.name}"`;
    for (const [head, state] of [
      ['Frozen', 'frozen'],
      ['Saturated', 'saturated'],
      ['Waiting', 'waiting'],
      ['Unknown', 'unknown'],
    ]) {
      const recorded = await value(
        `avg_over_time(nstar:tier_state_share:ratio10s{${labels},state="${state}"}[1m])`,
        RANGE.to
      );
      says(said[head], recorded, '–', (text, part) => Math.abs(share(text) - part) < 0.006);
    }
    says(said['N*'], tier.nStar, tier.status?.replaceAll('_', ' '), rounds);
    says(said.TPmax, tier.tpMax, '–', rounds);
  }
});

/** A cell holds what was recorded, or the words for nothing where nothing was. */
function says(cell, recorded, nothing, agrees) {
  const right = recorded === null ? cell.replace('its ', '') === nothing : agrees(cell, recorded);
  assert.ok(right, `"${cell}" for ${recorded ?? nothing}`);
}

test('Page/SaysTheRecordedVerdict', async (t) => {
  const [{ metric, value: part }] = await instant(`nstar:app_verdict{app="${app}"}`, RANGE.to);
  const response = await value(`sum(nstar:app_response_time:seconds{app="${app}"})`, RANGE.to);
  const page = await opened(t);
  const words = await page.getByTestId('verdict').innerText();
  if (metric.tier) {
    const cost = words.match(/it costs (\S+)\sms of the mean response time of (\S+)\sms \(([^)]+)\)/u);
    assert.ok(cost, words);
    assert.ok(words.includes(metric.tier), words);
    assert.ok(Math.abs(number(cost[1]) - 1000 * part * response) <= 0.51, `${words}; ${part} of ${response} s`);
    assert.ok(Math.abs(number(cost[2]) - 1000 * response) <= 0.51, `${words}; ${response} s`);
    assert.ok(Math.abs(share(cost[3]) - part) < 0.006, `${words}; ${part}`);
    assert.equal(/alternates/.test(words), metric.verdict === 'alternating_bottleneck', words);
    assert.match(
      await lastMinute(page).innerText(),
      /More capacity gains little|capacity|limit|Look|look/,
      'what to do'
    );
  } else {
    assert.match(words, metric.verdict === 'healthy' ? / is healthy/ : /still learning/);
  }
  has(t, metric.tier, 'a bottleneck');
});

test('Page/SaysWhereTheTimePasses', async (t) => {
  const page = await opened(t);
  const words = await lastMinute(page).innerText();
  const waited = await instant(`nstar:app_response_time:seconds{app="${app}"}`, RANGE.to);
  for (const { metric, value: seconds } of waited) {
    const said = words.match(new RegExp(`([\\d.,]+)\\sms (pass )?in ${metric.tier}`, 'u'));
    assert.ok(said && Math.abs(number(said[1]) - 1000 * seconds) <= 0.51, `${words}; ${seconds} s in ${metric.tier}`);
  }
  assert.ok(waited.length > 0, 'the rules recorded response times');
});

test('Page/SaysWhatTheTimeIsChargedTo', async (t) => {
  const page = await opened(t);
  const rows = await readTable(page, 'The time is charged to');
  const charged = await instant(
    `label_replace(nstar:app_base_time:seconds{app="${app}"}, "cause", "work", "", "")
    or nstar:app_excess_time:seconds{app="${app}"}`,
    RANGE.to
  );
  const total = charged.reduce((sum, { value: seconds }) => sum + seconds, 0);
  const listed = charged.filter(({ value: seconds }) => seconds >= 0.005 * total && seconds > 0);
  assert.equal(rows.length, listed.length);
  const told = rows.map((row) => [row['The time is charged to'], number(row.Mean) / 1000]);
  for (const { metric, value: seconds } of listed) {
    const found = told.some(([tier, said]) => tier === metric.tier && Math.abs(said - seconds) <= 0.00051);
    assert.ok(found, `${seconds} s by ${metric.cause} in ${metric.tier} are not among ${JSON.stringify(rows)}`);
  }
});

test('Page/ChoosesARangeAndGoesBack', async (t) => {
  const page = await opened(t);
  const before = page.url();
  await page.getByTestId('data-testid TimePicker Open Button').click();
  await page.getByText('Last 15 minutes').click();
  assert.equal(parameters(page).get('from'), 'now-15m');
  assert.equal(parameters(page).get('to'), 'now');
  await page.goBack();
  assert.equal(page.url(), before);
  await page
    .getByTestId('data-testid TimePicker Open Button')
    .filter({ hasText: new Date(RANGE.from).toISOString().slice(0, 10) })
    .waitFor();
});

test('Page/MovesAndWidensTheRange', async (t) => {
  const page = await opened(t);
  const length = RANGE.to - RANGE.from;
  const range = () => ['from', 'to'].map((end) => Number(parameters(page).get(end)));
  await page.getByRole('button', { name: /backwards/ }).click();
  assert.deepEqual(range(), [RANGE.from - length / 2, RANGE.to - length / 2]);
  await page.getByRole('button', { name: /forwards/ }).click();
  assert.deepEqual(range(), [RANGE.from, RANGE.to]);
  await page.getByRole('button', { name: /Zoom out/ }).click();
  assert.deepEqual(range(), [RANGE.from - length / 2, RANGE.to + length / 2]);
});

test('Page/ChoosesTiers', async (t) => {
  const page = await opened(t);
  const [first, , last] = tiers;
  const tier = page.getByRole('combobox', { name: 'Tier' });
  const pick = async (name) => {
    await tier.click();
    await page.getByRole('option', { name }).click();
    await page.keyboard.press('Escape');
  };
  await pick(last.name);
  assert.deepEqual(parameters(page).getAll('var-tier'), [last.name]);
  await waitFor(async () => (await panels(page).count()) === 2);
  const words = await drawn(linesOf(panelOf(page, STATES)));
  assert.ok(words.includes(last.name) && !words.includes(first.name), words);

  await pick(first.name);
  assert.deepEqual(parameters(page).getAll('var-tier').sort(), [first.name, last.name].sort());
  await waitFor(async () => (await panels(page).count()) === 3);
  await page.reload();
  await waitFor(async () => (await panels(page).count()) === 3);
});

test('Page/ChoosesTheApplication', async (t) => {
  const apps = (await instant('group by (app) (nstar_tier_completions_total)', RANGE.to)).map(
    ({ metric }) => metric.app
  );
  const other = apps.find((name) => name !== app);
  assert.ok(other, 'the data has a second application');
  const page = await opened(t, { query: { ...FIXED, 'var-tier': [tiers[0].name] } });
  const choice = page.getByRole('combobox', { name: 'Application' });
  assert.equal(await choice.inputValue(), app);
  await choice.click();
  await page.getByRole('option', { name: other, exact: true }).click();
  assert.deepEqual(parameters(page).getAll('var-app'), [other]);
  assert.deepEqual(parameters(page).getAll('var-tier'), [], 'the tiers of another application are others');
  const there = await instant(`group by (tier) (nstar_tier_completions_total{app="${other}"})`, RANGE.to);
  // Prometheus also lists tiers that came after the range, such as the server of these tests.
  const shown = () =>
    panels(page).evaluateAll((all) => all.map((one) => one.dataset.testid.replace(/^panel \d+-/, '')));
  await waitFor(async () => {
    const names = await shown();
    return there.every(({ metric }) => names.includes(metric.tier));
  });
  const left = await shown();
  assert.deepEqual(
    tiers.map(({ name }) => name).filter((name) => left.includes(name)),
    [],
    'no tier of the first application is left'
  );
});

test('Page/RefreshesOnceAndOftener', async (t) => {
  let asked = 0;
  const page = await opened(t, {
    prepare: async (fresh) => fresh.on('request', (request) => request.url().includes('/label/tier/') && asked++),
  });
  assert.equal(asked, 1);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await waitFor(() => asked === 2);
  await page.getByRole('button', { name: /Choose refresh time interval/ }).click();
  await page.getByRole('menuitemradio', { name: /^1 second/ }).click();
  assert.equal(parameters(page).get('refresh'), '1s');
  await waitFor(() => asked >= 5);
});

test('Page/DarkAndLight', async (t) => {
  const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await opened(t, { scheme: 'dark' });
  const before = await background(dark);
  await dark.getByRole('button', { name: 'Switch to light' }).click();
  assert.equal(parameters(dark).get('theme'), 'light');
  assert.notEqual(await background(dark), before);
  const light = await opened(t, { scheme: 'light' });
  assert.equal(await background(light), await background(dark), 'without a choice the page is as the system is');
  assert.equal(new URL(light.url()).searchParams.get('theme'), null);
});

test('Page/ShowsOnePanelAlone', async (t) => {
  const page = await opened(t);
  const title = `Main sequence of ${tiers[0].name}`;
  await page.getByRole('button', { name: `Show only ${title}` }).click();
  await waitFor(async () => (await panels(page).count()) === 1);
  assert.equal(parameters(page).get('viewPanel'), sequence(tiers[0].name));
  await drawn(scatterOf(page));
  await page.getByRole('button', { name: 'Show all panels' }).click();
  await waitFor(async () => (await panels(page).count()) === 1 + tiers.length);
});

test('Page/ClickCountsThoughTheIconArrivesInIt', async (t) => {
  let release;
  const released = new Promise((resume) => (release = resume));
  const page = await opened(t, {
    prepare: (fresh) =>
      fresh.route('**/eye.svg', async (route) => {
        await released;
        await route.continue();
      }),
  });
  const button = page.getByRole('button', { name: `Show only Main sequence of ${tiers[0].name}` });
  await button.hover();
  await page.mouse.down();
  assert.equal(await button.locator('path').count(), 0, 'no icon yet');
  release();
  await button.locator('path').waitFor();
  await page.mouse.up();
  await waitFor(async () => (await panels(page).count()) === 1);
});

test('Page/FitsAPhone', async (t) => {
  const page = await opened(t, { size: [390, 844] });
  const { scroll, client } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
  }));
  assert.ok(scroll <= client, `${scroll} pixels wide on a screen of ${client}`);
  const widths = await panels(page).evaluateAll((all) => all.map((panel) => panel.getBoundingClientRect().width));
  assert.ok(Math.min(...widths) > 350, `${widths}`);
});
