// SPDX-License-Identifier: Apache-2.0
import { keyOf, shortNames } from '../model/names';
import { Picture, Tier } from '../model/tier';
import { Kind, METRICS } from './kind';
import { list, Notice } from './notice';
import { Queries } from './queries';
import { Read } from './read';
import { Answers } from './series';
import { USUAL_WIDTH } from './step';
import { TierSeries } from './tiers';

/**
 * Windows that can be seen one by one. The dashboard asks for 6,285 points, since Prometheus refuses more than 11,000 and
 * Grafana rounds the step to a usual one: 50 ms up to a range of 470 s.
 */
const MOST_WINDOWS = 9_400;

const WEIGHT = { error: 0, warning: 1, info: 2 };

/**
 * What is wrong with the queries or missing in the answers, the worst first; each notice says what to do. Queries that
 * failed have an error of their own, so nothing is said here of what they would have answered.
 */
export function findings(read: Read, { asked, failed }: Queries): Notice[] {
  const { answers, picture } = read;
  const windows = picture.tiers.filter((tier) => tier.time.length > 0);
  const queries = { asked: new Set([...answers.asked, ...asked]), failed };
  const notices = [
    ...missing(read, queries),
    ...unreadable(answers),
    ...sampled(windows, picture.step),
    ...limits(windows, queries),
  ];
  return notices.sort((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity]);
}

function missing({ answers: { unknown }, found, picture }: Read, { asked, failed }: Queries): Notice[] {
  if (failed.has('queue') || failed.has('throughput')) {
    return [];
  }
  const absent = (['queue', 'throughput'] as const).filter((kind) => !asked.has(kind));
  if (asked.size === 0 && unknown.size === 0) {
    return [{ severity: 'error', text: 'No query has answered: add the queries queue and throughput.' }];
  }
  if (absent.length > 0 && !(absent.length === 2 && picture.tiers.length > 0)) {
    const metrics = list(absent.map((kind) => METRICS[kind]));
    return [
      {
        severity: 'error',
        text:
          absent.length === 1
            ? `Query ${absent[0]} is missing: add it, it asks for ${metrics}.`
            : `Queries queue and throughput are missing: add them, they ask for ${metrics}.`,
      },
    ];
  }
  const notices = [
    ...halves('queue', 'throughput', found),
    ...halves('throughput', 'queue', found),
    ...apart(found, picture),
  ];
  if (notices.length === 0 && picture.tiers.length === 0) {
    const text = 'No windows in this time range: choose one in which nstar_exporter was scraped.';
    return [{ severity: 'info', text }];
  }
  return notices;
}

/** Tiers that have windows of the one kind, but not of the other. */
function halves(there: Kind, absent: Kind, found: readonly TierSeries[]): Notice[] {
  const half = found.filter((tier) => hasSamples(tier, there) && !hasSamples(tier, absent));
  if (half.length === 0) {
    return [];
  }
  const text = `Query ${absent} has no answer for ${namesOf(half)}: give queries queue and throughput the same selector.`;
  return [{ severity: 'warning', text }];
}

/** Tiers that have both, but never in the same window. */
function apart(found: readonly TierSeries[], picture: Picture): Notice[] {
  const joined = new Set(picture.tiers.filter((tier) => tier.time.length > 0).map((tier) => tier.key));
  const never = found.filter(
    (tier) => hasSamples(tier, 'queue') && hasSamples(tier, 'throughput') && !joined.has(keyOf(tier.labels))
  );
  if (never.length === 0) {
    return [];
  }
  const text = `Queries queue and throughput have no time in common for ${namesOf(never)}: give them the same step.`;
  return [{ severity: 'warning', text }];
}

function hasSamples(tier: TierSeries, kind: Kind): boolean {
  return tier.of(kind).some(({ time }) => time.length > 0);
}

function namesOf(tiers: readonly TierSeries[]): string {
  return list(shortNames(tiers.map((tier) => tier.labels)));
}

function unreadable({ series, unknown, timeless }: Answers): Notice[] {
  const notices: Notice[] = [];
  if (unknown.size > 0) {
    const [names, verb] = [list([...unknown]), unknown.size > 1 ? 'are' : 'is'];
    const text = `${names} ${verb} ignored: a query's name must be one of ${Object.keys(METRICS).join(', ')}.`;
    notices.push({ severity: 'warning', text });
  }
  if (timeless.size > 0) {
    const text = `No times in the answer to ${list([...timeless])}: set the format to time series or table.`;
    notices.push({ severity: 'warning', text });
  }
  const nameless = new Set<string>();
  for (const { kind, labels } of series) {
    if (!labels.tier && kind !== 'window_width' && kind !== 'edges') {
      nameless.add(kind);
    }
  }
  if (nameless.size > 0) {
    const text = `No label tier in the answer to ${list([...nameless])}: keep app, tier and instance in the expression.`;
    notices.push({ severity: 'warning', text });
  }
  return notices;
}

function sampled(windows: readonly Tier[], step: number): Notice[] {
  const width = Math.min(...windows.map((tier) => tier.width));
  if (!(step > width * 1.5)) {
    return [];
  }
  // Steps that suit the usual width meet only some windows of another, unless it is a multiple.
  const suited = width % USUAL_WIDTH === 0;
  const mend = suited ? 'narrow' : `set the min step of its queries to ${width}ms and narrow`;
  const text = `1 of ${Math.round(step / width)} windows is shown: ${mend} the time range to ${span(MOST_WINDOWS * width)} or less to see each.`;
  return [{ severity: 'info', text }];
}

/** A span of time in whole minutes, or seconds if it is short; never more than it is. */
function span(ms: number): string {
  return ms >= 120_000 ? `${Math.floor(ms / 60_000)} min` : `${Math.floor(ms / 1000)} s`;
}

function limits(windows: readonly Tier[], { asked, failed }: Queries): Notice[] {
  const notices: Notice[] = [];
  const boundless = windows.filter((tier) => tier.tpMax === null && tier.nStar !== null);
  if (boundless.length > 0 && !failed.has('max_throughput')) {
    const mend = asked.has('max_throughput') ? '' : '; add the query';
    const text = `No max_throughput for ${shownNames(boundless)}: frozen windows count as saturated${mend}.`;
    notices.push({ severity: 'warning', text });
  }
  const unsaturated = windows.filter((tier) => tier.nStar === null);
  if (unsaturated.length > 0 && !failed.has('saturation_point')) {
    const reason = asked.has('saturation_point')
      ? 'not seen saturated, so idle or normal only'
      : 'nothing counts as saturated or frozen; add the query';
    notices.push({ severity: 'info', text: `No saturation_point for ${shownNames(unsaturated)}: ${reason}.` });
  }
  return notices;
}

function shownNames(tiers: readonly Tier[]): string {
  return list(tiers.map((tier) => tier.name));
}
