// SPDX-License-Identifier: Apache-2.0
// What the two views share: the pointer's time and selected windows; and what a refresh leaves alone.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { firstApp, frozen, has, mostFrozen, RANGE } from './data.mjs';
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
  waitFor,
} from './harness.mjs';
import { drawnBox } from './pixels.mjs';
import { drag, findWindow, number, pointAt, surfaceOf, tooltipOf } from './pointer.mjs';
import { colourOf, readScale } from './scale.mjs';

withBrowser();

/** ms */
const WIDTH = 50;

/** The tier with most frozen windows, and its windows. */
let tier;
let windows;

before(async () => {
  ({ tier, windows } = await mostFrozen(await firstApp()));
});

async function openBoth(t, more) {
  const page = await open(t, more);
  const panel = panelOf(page, sequence(tier.name));
  const lines = panelOf(page, STATES);
  await drawn(scatterOf(panel));
  await drawn(linesOf(lines));
  return { page, panel, lines };
}

const overlayOf = (panel) => surfaceOf(panel).locator('canvas').first();

test('Together/TimeLinesPointOutTheWindowInTheScatter', async (t) => {
  // At the rim of the plot the mark would be cut off.
  const inner = windows.filter(({ time }) => time > RANGE.from + 10000 && time < RANGE.to - 10000).filter(isInner);
  const window = inner[Math.floor(inner.length / 2)];
  if (!has(t, window, 'a window away from the rim')) {
    return;
  }
  // So short a range that a window is wider than a pixel.
  const range = { from: window.time - 10000, to: window.time + 10000 };
  const { page, panel, lines } = await openBoth(t, { query: { ...FIXED, ...range } });
  const { place } = await readScale(page, panel, scatterOf(panel), await colourOf(panel, tier.name));
  const { width } = await surfaceOf(lines).boundingBox();
  const middle = (window.time - WIDTH / 2 - range.from) / (range.to - range.from);
  await pointAt(page, surfaceOf(lines), middle * width, 40);
  await tooltipOf(lines).waitFor();
  const box = await drawnBox(overlayOf(panel));
  assert.ok(box, 'the scatter marks a window');
  const at = { x: (box.left + box.right + 1) / 2, y: (box.top + box.bottom + 1) / 2 };
  const off = Math.hypot(place.x(window.queue) - at.x, place.y(window.throughput) - at.y);
  assert.ok(off < 2, `the mark is ${off} pixels from the window`);
  await page.mouse.move(5, 5);
  await waitFor(async () => (await drawnBox(overlayOf(panel))) === null);
});

/** Whether queue and throughput are both between a twentieth and nine tenths of the most in the data. */
function isInner(window) {
  return ['queue', 'throughput'].every((name) => {
    const part = window[name] / Math.max(...windows.map((other) => other[name]));
    return part > 0.05 && part < 0.9;
  });
}

test('Together/ScatterPointsOutTheTimeInTheTimeLines', async (t) => {
  const { page, panel, lines } = await openBoth(t);
  // The first window in an answer ends where the range begins: it is not in the time lines.
  const seen = await findWindow(page, panel, ({ time }) => time > RANGE.from);
  assert.ok(seen, 'a window is at the pointer');
  const line = lines.locator('.u-cursor-x');
  await line.waitFor();
  const [at, area] = [await line.boundingBox(), await surfaceOf(lines).boundingBox()];
  const expected = area.x + ((seen.time - WIDTH / 2 - RANGE.from) / (RANGE.to - RANGE.from)) * area.width;
  assert.ok(Math.abs(at.x + at.width / 2 - expected) < 2, `crosshair at ${at.x}, expected at ${expected}`);
});

test('Together/BrushFindsEpisodesAndLeadsThere', async (t) => {
  const { page, panel, lines } = await openBoth(t);
  const { place, area } = await readScale(page, panel, scatterOf(panel), await colourOf(panel, tier.name));
  // Slow windows with a queue, or at least the slowest. The edges of the brush lie where there is room between windows.
  const top = gapBetween(windows.map(({ throughput }) => throughput));
  const below = windows.filter(({ throughput }) => throughput < top).map(({ queue }) => queue);
  const left = gapBetween([0, ...below]);
  if (!has(t, top !== null && left !== null, 'windows that differ')) {
    return;
  }
  const inside = windows.filter(({ queue, throughput }) => queue > left && throughput < top);
  // Beyond the axes: windows without any completion lie on one.
  await drag(page, surfaceOf(panel), { x: place.x(left), y: place.y(top) }, { x: area.width + 3, y: area.height + 3 });

  const bar = panel.getByRole('group', { name: 'Selected windows' });
  const words = await bar.getByRole('status').innerText();
  assert.equal(number(words), inside.length, words);
  assert.match(words, /in [\d,]+ episodes?/);
  await screenshot(page, 'selected');
  assert.ok(await drawnBox(overlayOf(lines)), 'the time lines show when that was');

  const episode = bar.getByRole('button', { name: /^Zoom to/ }).first();
  const from = (await episode.innerText()).match(/\d\d:\d\d:\d\d\.\d{3}/)[0];
  const before = page.url();
  await episode.click();
  await page.waitForURL((url) => url.href !== before);
  const range = new URL(page.url()).searchParams;
  const start = Date.parse(`${new Date(RANGE.from).toISOString().slice(0, 11)}${from}Z`);
  const end = endOfEpisode(inside, start);
  const [zoomed, episodeLength] = [['from', 'to'].map((side) => Number(range.get(side))), end - start];
  assert.ok(zoomed[0] < start && end < zoomed[1], `${zoomed} holds ${start} to ${end}`);
  assert.ok(
    zoomed[1] - zoomed[0] <= Math.max(2 * episodeLength, episodeLength + 1000) + 2,
    `${zoomed} shows little else`
  );
  assert.ok(
    inside.some(({ time }) => time - WIDTH === start),
    'the episode begins with a brushed window'
  );

  await page.goBack();
  assert.equal(page.url(), before);
});

/** The middle of the widest gap that begins in the lower fifth of some values; null if all are the same. */
function gapBetween(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor(sorted.length / 5)];
  const gaps = sorted.slice(1).map((end, i) => ({ start: sorted[i], width: end - sorted[i] }));
  const widest = gaps
    .filter(({ start, width }) => width > 0 && start <= low)
    .reduce((most, gap) => (most && most.width >= gap.width ? most : gap), null);
  return widest && widest.start + widest.width / 2;
}

/** Where the windows end that follow each other within 250 ms from a time on. */
function endOfEpisode(chosen, start) {
  let end = start;
  for (const { time } of chosen.toSorted((a, b) => a.time - b.time)) {
    end = time > end && time - WIDTH - end <= 250 ? time : end;
  }
  return end;
}

test('Together/SelectionOfFrozenWindowsCanBeCleared', async (t) => {
  if (!has(t, frozen(windows).length > 0, 'a frozen window')) {
    return;
  }
  const { panel, lines } = await openBoth(t);
  await panel.getByRole('button', { name: /^Select .* frozen window/ }).click();
  const bar = panel.getByRole('group', { name: 'Selected windows' });
  assert.equal(number(await bar.getByRole('status').innerText()), frozen(windows).length);
  await waitFor(async () => (await drawnBox(overlayOf(lines))) !== null);
  await bar.getByRole('button', { name: 'Clear' }).click();
  assert.equal(await bar.count(), 0);
  await waitFor(async () => (await drawnBox(overlayOf(lines))) === null);
});

test('Together/RefreshKeepsPointerAndSelection', async (t) => {
  if (!has(t, frozen(windows).length > 0, 'a frozen window')) {
    return;
  }
  let answers = 0;
  const { page, panel, lines } = await openBoth(t, {
    query: { ...FIXED, refresh: '1s' },
    prepare: async (fresh) => {
      fresh.on('response', (response) => response.url().includes('/query_range') && answers++);
    },
  });
  await panel.getByRole('button', { name: /^Select .* frozen window/ }).click();
  const status = panel.getByRole('group', { name: 'Selected windows' }).getByRole('status');
  const selected = await status.innerText();
  const { width } = await surfaceOf(lines).boundingBox();
  await pointAt(page, surfaceOf(lines), width / 3, 40);
  const said = await tooltipOf(lines).innerText();
  const before = answers;
  await waitFor(() => answers > before + 40);
  assert.equal(await tooltipOf(lines).innerText(), said);
  assert.equal(await status.innerText(), selected);
  assert.ok(await drawnBox(overlayOf(lines)), 'the selection still shows in the time lines');
});
