// SPDX-License-Identifier: Apache-2.0
// The time lines of states: what they draw and say, against what Prometheus holds.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { countWindows, firstApp, has, judged, RANGE, recordedShare, tiersOf, windowsOf } from './data.mjs';
import { drawn, linesOf, open, panelOf, STATES, withBrowser, waitFor } from './harness.mjs';
import { NAMES, readBands } from './lanes.mjs';
import { drag, number, pointAt, readMoment, rounds, share, surfaceOf } from './pointer.mjs';

withBrowser();

/** ms */
const WIDTH = 50;
const SHOWN = 3000;

let tiers;
/**
 * A range of few windows around a freeze, which are wide enough then to be looked at one by one; null where none is.
 */
let close;

before(async () => {
  tiers = await tiersOf(await firstApp());
  const all = (await Promise.all(tiers.map((tier) => windowsOf(tier)))).flat();
  const times = all.filter(({ state }) => state === 'frozen').map(({ time }) => time);
  close = await firstFreeze(times.sort((a, b) => a - b));
});

async function firstFreeze(times) {
  let next = RANGE.from + SHOWN;
  for (const time of times) {
    if (time > next && time < RANGE.to - SHOWN) {
      next = time + SHOWN;
      const range = { from: time - SHOWN / 2, to: time + SHOWN / 2 };
      const lanes = await windowsByTier(range);
      const states = lanes.flat().map(({ state }) => state);
      const even = lanes.every((lane) => lane.length >= 50 && lane.length === lanes[0].length);
      if (even && states.includes('frozen') && new Set(states).size > 1) {
        return range;
      }
    }
  }
  return null;
}

/** The windows that lie in a range as a whole, tier by tier; the first one in an answer ends where the range begins. */
async function windowsByTier(range) {
  const lanes = await Promise.all(tiers.map((tier) => windowsOf(tier, range)));
  return lanes.map((windows) => windows.filter(({ time }) => time - WIDTH >= range.from));
}

async function openLines(t, query) {
  const page = await open(t, { query: { refresh: '', ...query } });
  const panel = panelOf(page, STATES);
  return { page, panel, words: await drawn(linesOf(panel)), canvas: panel.locator('.uplot canvas').first() };
}

/** Middle of a window on the plotting surface. */
async function middles(panel, canvas, { from, to }) {
  const [surface, around] = [await surfaceOf(panel).boundingBox(), await canvas.boundingBox()];
  return {
    surface: (window) => ((window.time - WIDTH / 2 - from) / (to - from)) * surface.width,
    canvas: (window) => surface.x - around.x + ((window.time - WIDTH / 2 - from) / (to - from)) * surface.width,
  };
}

test('States/EveryTierHasALane', async (t) => {
  const { words } = await openLines(t, RANGE);
  const said = tiers.map(({ name }) => words.indexOf(` ${name}: `));
  assert.ok(
    said.every((at, i) => at > 0 && (i === 0 || at > said[i - 1])),
    `${words}: callers first`
  );
});

test('States/SharesAreCountedRight', async (t) => {
  const { words, panel } = await openLines(t, RANGE);
  for (const tier of tiers) {
    const windows = await windowsOf(tier);
    assert.equal(windows.length, await countWindows(tier));
    for (const name of NAMES) {
      const told = saidShare(words, tier, name);
      const counted = windows.filter(({ state }) => state === name).length / judged(windows).length;
      assert.ok(Math.abs(told - counted) < 0.006, `${tier.name} ${name}: said ${told}, counted ${counted}`);
    }
    const legend = panel.getByRole('row', { name: new RegExp(`^${tier.name}\\b`) });
    assert.equal(number((await legend.locator('td').allInnerTexts()).at(-1)), windows.length);
  }
});

/** The share of a state that the time lines say in words. */
function saidShare(words, tier, state) {
  const sentence = words.match(new RegExp(` ${tier.name}: (([^.]|\\.\\d)*)`))[1];
  return share(sentence.match(new RegExp(`${state} ([<\\d.]+)`))?.[1] ?? '0');
}

test('States/SharesAgreeWithTheRules', async () => {
  for (const tier of tiers) {
    const windows = judged(await windowsOf(tier));
    // Counted, scraped and recorded in turn, a share tells of windows that ended some seconds before, and those of 20 s
    // of windows of about 30 s.
    const spans = [0, 2500, 5000, 7500, 10000, 12500, 15000].map((age) =>
      windows.filter(({ time }) => time > RANGE.to - age - 30000 && time <= RANGE.to - age)
    );
    for (const name of NAMES) {
      const shares = spans.map((span) => span.filter(({ state }) => state === name).length / span.length);
      const recorded = await recordedShare(tier, name);
      assert.ok(
        recorded > Math.min(...shares) - 0.1 && recorded < Math.max(...shares) + 0.1,
        `${tier.name} ${name}: recorded ${recorded}, windows ${shares}`
      );
    }
  }
});

test('States/BandsShowTheStateOfEachWindow', async (t) => {
  if (!has(t, close, 'a freeze that is seen from beginning to end')) {
    return;
  }
  const { page, panel, canvas } = await openLines(t, close);
  const expected = await windowsByTier(close);
  const middle = await middles(panel, canvas, close);
  const bands = await readBands(
    page,
    canvas,
    expected[0].map((window) => Math.floor(middle.canvas(window)))
  );
  assert.equal(bands.length, tiers.length, 'a band per tier');
  tiers.forEach(({ name }, i) => {
    assert.deepEqual(
      bands[i],
      expected[i].map(({ state }) => state),
      name
    );
  });
});

test('States/NewestWindowsAreNotJudgedYet', async (t) => {
  const end = Math.max(...(await windowsOf(tiers[0])).map(({ time }) => time));
  const late = end - 2000;
  const page = await open(t, {
    query: { refresh: '', from: end - 10000, to: end },
    // As it is when the range ends now: the states of the last seconds are still on their way.
    prepare: (fresh) =>
      fresh.route('**/api/v1/query_range', async (route) => {
        const response = await route.fetch();
        const answer = await response.json();
        if (route.request().postData().includes('nstar_window_state')) {
          answer.data.result.forEach((series) => {
            series.values = series.values.filter(([time]) => time * 1000 <= late);
          });
        }
        await route.fulfill({ response, json: answer });
      }),
  });
  const panel = panelOf(page, STATES);
  await drawn(linesOf(panel));
  const { width } = await surfaceOf(panel).boundingBox();
  const stateAt = async (time) => {
    await pointAt(page, surfaceOf(panel), ((time - WIDTH / 2 - end + 10000) / 10000) * width, 40);
    return (await readMoment(panel)).rows.map((row) => row.State);
  };
  assert.ok((await stateAt(late + 1000)).every((state) => state === 'not judged yet'));
  assert.ok((await stateAt(late - 1000)).every((state) => state !== 'not judged yet'));
  assert.equal(await panel.getByRole('status').count(), 0, 'that is usual');
});

test('States/TooltipSaysWhatPrometheusHolds', async (t) => {
  if (!has(t, close, 'a freeze that is seen from beginning to end')) {
    return;
  }
  const { page, panel, canvas } = await openLines(t, close);
  const expected = await windowsByTier(close);
  const middle = await middles(panel, canvas, close);
  for (let i = 0; i < expected[0].length; i += 5) {
    await pointAt(page, surfaceOf(panel), middle.surface(expected[0][i]), 40);
    const { time, rows } = await readMoment(panel);
    assert.equal(time, expected[0][i].time, 'the time of the window under the pointer');
    assert.deepEqual(
      rows.map((row) => row.Tier),
      tiers.map(({ name }) => name)
    );
    rows.forEach((row, tier) => {
      const { state, queue, throughput } = expected[tier][i];
      assert.equal(row.State, state);
      assert.ok(rounds(row['Own queue'], queue), `${row.Tier}: ${row['Own queue']} for ${queue}`);
      assert.ok(rounds(row.Throughput, throughput), `${row.Tier}: ${row.Throughput} for ${throughput}`);
    });
  }
});

test('States/DragZoomsAndBackReturns', async (t) => {
  const { page, panel } = await openLines(t, RANGE);
  const surface = surfaceOf(panel);
  const { width } = await surface.boundingBox();
  const address = page.url();
  await drag(page, surface, { x: 0.25 * width, y: 30 }, { x: 0.5 * width, y: 30 });
  await page.waitForURL((url) => url.href !== address);
  const zoomed = new URL(page.url()).searchParams;
  const perPixel = (RANGE.to - RANGE.from) / width;
  const at = (part) => RANGE.from + part * (RANGE.to - RANGE.from);
  assert.ok(Math.abs(Number(zoomed.get('from')) - at(0.25)) < 2 * perPixel, zoomed.get('from'));
  assert.ok(Math.abs(Number(zoomed.get('to')) - at(0.5)) < 2 * perPixel, zoomed.get('to'));
  const quarter = (RANGE.to - RANGE.from) / 4 / WIDTH;
  const legend = panel.getByRole('table').filter({ hasText: 'Windows' });
  const counted = async () => number(await legend.locator('tbody tr').first().locator('td').last().innerText());
  await waitFor(async () => Math.abs((await counted()) - quarter) < 5);
  await page.goBack();
  assert.equal(page.url(), address);
  await waitFor(async () => (await counted()) > 3 * quarter);
});
