// SPDX-License-Identifier: Apache-2.0
// The main sequence: what it draws and says, against what Prometheus holds.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { countWindows, curveOf, firstApp, has, judged, tiersOf, windowsOf } from './data.mjs';
import { drawn, open, panelOf, scatterOf, sequence, withBrowser } from './harness.mjs';
import { coloured, lines, profile } from './pixels.mjs';
import { number, rounds, share } from './pointer.mjs';
import { colourOf, readScale } from './scale.mjs';
import { stateColour } from './lanes.mjs';

withBrowser();

let tiers;

before(async () => {
  tiers = await tiersOf(await firstApp());
  assert.ok(tiers.length >= 2, 'the data has two tiers or more');
});

async function openSequence(t, tier) {
  const page = await open(t);
  const panel = panelOf(page, sequence(tier.name));
  const scatter = scatterOf(panel);
  const words = await drawn(scatter);
  return { page, panel, scatter, words, canvas: scatter };
}

test('MainSequence/OnePanelPerTier', async (t) => {
  const page = await open(t);
  await scatterOf(page).first().waitFor();
  assert.equal(await scatterOf(page).count(), tiers.length);
  for (const { name } of tiers) {
    assert.match(await drawn(scatterOf(panelOf(page, sequence(name)))), new RegExp(` ${name}: `));
  }
});

test('MainSequence/EveryWindowOfPrometheusIsAPoint', async (t) => {
  const page = await open(t);
  for (const tier of tiers) {
    const words = await drawn(scatterOf(panelOf(page, sequence(tier.name))));
    assert.equal(number(words.match(/([\d,]+) windows/)[1]), await countWindows(tier), `${tier.name}: ${words}`);
  }
});

test('MainSequence/PointsHaveTheColourOfTheTier', async (t) => {
  const tier = tiers[0];
  const { panel, canvas } = await openSequence(t, tier);
  const colour = await colourOf(panel, tier.name);
  const shown = (await profile(canvas, colour)).total;
  await panel.getByRole('button', { name: tier.name, exact: true }).click();
  const hidden = (await profile(canvas, colour)).total;
  assert.ok(shown > 1000, `${shown} pixels of the tier's colour`);
  assert.ok(hidden < shown / 50, `${hidden} of ${shown} are left when the tier is hidden`);
});

test('MainSequence/PointsAreWhereTheirValuesAre', async (t) => {
  for (const tier of tiers.slice(0, 2)) {
    const { page, panel, canvas } = await openSequence(t, tier);
    const { residuals, seen } = await readScale(page, panel, canvas, await colourOf(panel, tier.name));
    assert.ok(seen.length >= 6, `${seen.length} windows were found at the pointer`);
    assert.ok(Math.max(...residuals) <= 1.5, `off by ${residuals.map((off) => off.toFixed(1))} pixels`);
  }
});

test('MainSequence/TooltipSaysWhatPrometheusHolds', async (t) => {
  const tier = tiers.at(-1);
  const { page, panel, canvas } = await openSequence(t, tier);
  const { seen } = await readScale(page, panel, canvas, await colourOf(panel, tier.name));
  const windows = new Map((await windowsOf(tier)).map((window) => [window.time, window]));
  for (const { time, rows } of seen) {
    const window = windows.get(time);
    assert.ok(window, `Prometheus has a window that ends at ${new Date(time).toISOString()}`);
    assert.equal(rows.Tier, tier.name);
    assert.equal(rows.State, window.state);
    assert.ok(rounds(rows['Own queue length'], window.queue), `${rows['Own queue length']} for ${window.queue}`);
    assert.ok(rounds(rows['Queue length'], window.total), `${rows['Queue length']} for ${window.total}`);
    assert.ok(rounds(rows.Throughput, window.throughput), `${rows.Throughput} for ${window.throughput}`);
  }
});

test('MainSequence/LinesAtTheRecordedLimits', async (t) => {
  const known = tiers.filter(({ nStar, tpMax }) => nStar !== null && tpMax !== null);
  for (const tier of known) {
    const { page, panel, canvas, words } = await openSequence(t, tier);
    assert.ok(rounds(words.match(/N\* ([\d.,]+)/)[1], tier.nStar), `${words}; Prometheus has ${tier.nStar}`);
    assert.ok(rounds(words.match(/TPmax ([\d.,]+)/)[1], tier.tpMax), `${words}; Prometheus has ${tier.tpMax}`);
    const colour = await colourOf(panel, tier.name);
    const { place, area } = await readScale(page, panel, canvas, colour);
    const x = area.left + place.x(tier.nStar);
    const y = area.top + place.y(tier.tpMax);
    const { columns, rows } = await lines(canvas, colour, area);
    assert.ok(!isLine(columns, x + 15) && !isLine(rows, y + 15), 'not everything counts as a line');
    assert.ok(isLine(columns, x), `${tier.name}: no line at N*, column ${x.toFixed(1)}`);
    assert.ok(isLine(rows, y), `${tier.name}: no line at TPmax, row ${y.toFixed(1)}`);
  }
  has(t, known.length > 0, 'a tier with N* and TPmax');
});

/** A dashed line covers much of its way. */
const isLine = (parts, at) => Math.max(...[-1, 0, 1].map((by) => parts[Math.round(at) + by])) > 0.35;

test('MainSequence/SaysWhyThereIsNoLimit', async (t) => {
  const without = tiers.filter(({ nStar }) => nStar === null);
  for (const tier of without) {
    const { words, panel } = await openSequence(t, tier);
    assert.ok(words.includes(`N* not known: ${REASONS[tier.status]}`), `${words}; the exporter says ${tier.status}`);
    assert.equal(await panel.getByRole('status').count(), 0, 'which is nothing to be noticed');
  }
  has(t, without.length > 0, 'a tier without N*');
});

/** What the panel says for a status of the exporter. */
const REASONS = {
  learning: 'learning',
  never_near_limit: 'never near its limit',
  always_at_limit: 'always at its limit',
};

test('MainSequence/CurveRunsThroughTheRecordedBins', async (t) => {
  let judged = 0;
  for (const tier of tiers) {
    const { page, panel, canvas } = await openSequence(t, tier);
    const colour = await colourOf(panel, tier.name);
    const { place, area } = await readScale(page, panel, canvas, colour);
    const bins = (await curveOf(tier)).map(({ queue, throughput }) => ({
      x: area.left + place.x(queue),
      y: area.top + place.y(throughput),
    }));
    // Half way between two bins, where the curve leads from one to the other; words may lie on some of it.
    const middles = bins.slice(1).map((to, i) => ({ x: (bins[i].x + to.x) / 2, y: (bins[i].y + to.y) / 2 }));
    const seen = (await coloured(canvas, middles, colour)).filter(Boolean).length;
    assert.ok(seen >= 0.8 * middles.length, `${tier.name}: the curve is at ${seen} of ${middles.length} places`);
    judged += middles.length;
  }
  has(t, judged > 0, 'a recorded curve');
});

test('MainSequence/FrozenWindowsStandOut', async (t) => {
  let total = 0;
  for (const tier of tiers) {
    const { panel, canvas, words } = await openSequence(t, tier);
    const windows = await windowsOf(tier);
    const frozen = windows.filter(({ state }) => state === 'frozen').length;
    const known = judged(windows).length;
    const said = share(words.match(/frozen ([<\d.]+)/)?.[1] ?? '0');
    assert.ok(Math.abs(said - frozen / known) < 0.006, `${words}; Prometheus has ${frozen} of ${known}`);
    const offer = panel.getByRole('button', { name: /^Select .* frozen window/ });
    assert.equal(await offer.count(), frozen > 0 ? 1 : 0);
    if (frozen > 0) {
      assert.equal(number(await offer.innerText()), frozen);
      const red = await stateColour(panel.page(), 'frozen');
      const pixels = (await profile(canvas, red)).total;
      assert.ok(pixels > 10 * Math.min(frozen, 20), `${tier.name}: ${pixels} pixels for ${frozen} frozen windows`);
    }
    total += frozen;
  }
  has(t, total > 0, 'a frozen window');
});
