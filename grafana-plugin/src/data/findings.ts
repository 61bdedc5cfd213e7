// SPDX-License-Identifier: Apache-2.0
import { keyOf, shortNames } from '../model/names';
import { State } from '../model/state';
import { Picture, QueueKind, Tier } from '../model/tier';
import { Kind, METRICS } from './kind';
import { list, Notice } from './notice';
import { Queries } from './queries';
import { Read } from './read';
import { Answers } from './series';
import { USUAL_WIDTH } from './step';
import { TierSeries } from './tiers';

/**
 * Windows that can be seen one by one. The dashboard asks for 6,285 points, because Prometheus refuses more than
 * 11,000 and Grafana rounds the step to a usual one: 50 ms up to a range of 470 s.
 */
const MOST_WINDOWS = 9_400;

const WEIGHT = { error: 0, warning: 1, info: 2 };

/**
 * What is wrong with the queries or missing in the answers, the worst first; each notice says what to do. Failed
 * queries have an error of their own, so there are no notices here about their missing answers.
 *
 * @param wanted the queue that was to be drawn
 */
export function findings(read: Read, { asked, failed }: Queries, wanted: QueueKind = 'own'): Notice[] {
  const { answers, picture } = read;
  const windows = picture.tiers.filter((tier) => tier.time.length > 0);
  const queries = { asked: new Set([...answers.asked, ...asked]), failed };
  const notices = [
    ...missing(read, queries),
    ...unreadable(answers),
    ...sampled(windows, picture.step),
    ...judged(windows, queries),
    ...otherQueues(windows, wanted, queries),
  ];
  return notices.sort((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity]);
}

function missing({ answers: { unknown }, found, picture }: Read, { asked, failed }: Queries): Notice[] {
  // one queue suffices to draw a picture
  const queue = asked.has('own_queue') || !asked.has('queue') ? 'own_queue' : 'queue';
  if (failed.has(queue) || failed.has('throughput')) {
    return [];
  }
  const absent = ([queue, 'throughput'] as const).filter((kind) => !asked.has(kind));
  if (asked.size === 0 && unknown.size === 0) {
    return [{ severity: 'error', text: 'No query has answered: add the queries own_queue, throughput and state.' }];
  }
  if (absent.length > 0 && !(absent.length === 2 && picture.tiers.length > 0)) {
    const metrics = list(absent.map((kind) => METRICS[kind]));
    return [
      {
        severity: 'error',
        text:
          absent.length === 1
            ? `Query ${absent[0]} is missing: add it, it asks for ${metrics}.`
            : `Queries own_queue and throughput are missing: add them, they ask for ${metrics}.`,
      },
    ];
  }
  const notices = [...queueless(found, queue), ...throughputless(found, queue), ...apart(found, picture, queue)];
  if (notices.length === 0 && picture.tiers.length === 0) {
    const text = 'No windows in this time range: choose one in which nstar_exporter was scraped.';
    return [{ severity: 'info', text }];
  }
  return notices;
}

const hasQueue = (tier: TierSeries) => hasSamples(tier, 'own_queue') || hasSamples(tier, 'queue');

/** Tiers with throughputs, but without any queue. */
function queueless(found: readonly TierSeries[], queue: Kind): Notice[] {
  return half(
    found.filter((tier) => hasSamples(tier, 'throughput') && !hasQueue(tier)),
    queue,
    queue
  );
}

/** Tiers with a queue, but without throughputs. */
function throughputless(found: readonly TierSeries[], queue: Kind): Notice[] {
  return half(
    found.filter((tier) => hasQueue(tier) && !hasSamples(tier, 'throughput')),
    'throughput',
    queue
  );
}

function half(tiers: readonly TierSeries[], absent: Kind, queue: Kind): Notice[] {
  if (tiers.length === 0) {
    return [];
  }
  const text =
    `Query ${absent} has no answer for ${namesOf(tiers)}: ` + `give queries ${queue} and throughput the same selector.`;
  return [{ severity: 'warning', text }];
}

/** Tiers that have both, but never in the same window. */
function apart(found: readonly TierSeries[], picture: Picture, queue: Kind): Notice[] {
  const joined = new Set(picture.tiers.filter((tier) => tier.time.length > 0).map((tier) => tier.key));
  const never = found.filter(
    (tier) => hasQueue(tier) && hasSamples(tier, 'throughput') && !joined.has(keyOf(tier.labels))
  );
  if (never.length === 0) {
    return [];
  }
  const text = `Queries ${queue} and throughput have no time in common for ${namesOf(never)}: give them the same step.`;
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
    const queries = list([...nameless]);
    const text = `No label tier in the answer to ${queries}: keep app, tier and instance in the expression.`;
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
  const text =
    `1 of ${Math.round(step / width)} windows is shown: ${mend} the time range ` +
    `to ${span(MOST_WINDOWS * width)} or less to see each.`;
  return [{ severity: 'info', text }];
}

/** A span of time in whole minutes, or seconds if it is short; never more than it is. */
function span(ms: number): string {
  return ms >= 120_000 ? `${Math.floor(ms / 60_000)} min` : `${Math.floor(ms / 1000)} s`;
}

/** Queues other than the chosen one: an exporter that knows no own queue, or a query that is missing. */
function otherQueues(windows: readonly Tier[], wanted: QueueKind, { asked, failed }: Queries): Notice[] {
  const kind: Kind = wanted === 'own' ? 'own_queue' : 'queue';
  const others = windows.filter(({ queueKind }) => queueKind !== wanted);
  if (others.length === 0 || failed.has(kind)) {
    return [];
  }
  const shown = wanted === 'own' ? 'the queue of all requests in the tier' : 'the own queue';
  const mend = asked.has(kind) ? '' : '; add the query';
  return [{ severity: 'info', text: `No ${kind} for ${shownNames(others)}: the panel shows ${shown}${mend}.` }];
}

/** Tiers of which no window was judged. That the last two seconds are not is usual, and no matter for a notice. */
function judged(windows: readonly Tier[], { asked, failed }: Queries): Notice[] {
  const never = windows.filter(({ state }) => state.every((of) => of === State.Unjudged));
  if (never.length === 0 || failed.has('state')) {
    return [];
  }
  const reason = asked.has('state')
    ? 'the exporter judges windows 2 s after they end'
    : `add the query, it asks for ${METRICS.state}`;
  return [{ severity: 'warning', text: `No state for ${shownNames(never)}: ${reason}.` }];
}

function shownNames(tiers: readonly Tier[]): string {
  return list(tiers.map((tier) => tier.name));
}
