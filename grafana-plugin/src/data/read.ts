// SPDX-License-Identifier: Apache-2.0
import { DataFrame } from '@grafana/data';
import { shortNames } from '../model/names';
import { Edge, places, requestOrder } from '../model/order';
import { Picture, QueueKind } from '../model/tier';
import { Answers, readSeries, Series } from './series';
import { stepOf, windowWidths } from './step';
import { buildTier, seriesByTier, TierSeries } from './tiers';

/** What the panel has found out from its answers. */
export interface Read {
  answers: Answers;
  found: readonly TierSeries[];
  picture: Picture;
}

/**
 * Reads the answers of the panel's queries. A tier is shown if it has windows or recorded shares.
 *
 * @param queue the queue to draw
 */
export function readPicture(frames: DataFrame[], queue: QueueKind = 'own'): Read {
  const answers = readSeries(frames);
  const found = seriesByTier(answers.series);
  const width = windowWidths(answers.series);
  const shown = found
    .map((series) => buildTier(series, width, queue))
    .filter((tier) => tier.time.length > 0 || tier.shares !== null);
  const edges = edgesOf(answers.series);
  const tiers = requestOrder(shown, edges).map((i) => shown[i]);
  shortNames(tiers).forEach((name, i) => (tiers[i].name = name));
  places(tiers, edges).forEach((place, i) => (tiers[i].place = place));
  return { answers, found, picture: { tiers, step: stepOf(answers.series, tiers) } };
}

function edgesOf(series: readonly Series[]): Edge[] {
  return series
    .filter(({ kind }) => kind === 'edges')
    .map(({ labels: { app = '', from = '', to = '' } }) => ({ app, from, to }));
}
