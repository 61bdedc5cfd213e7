// SPDX-License-Identifier: Apache-2.0
// Runs the queries of a panel and answers with what Grafana would hand to it.
import { DataFrame, DataQueryError, LoadingState, PanelData, rangeUtil, TimeRange } from '@grafana/data';
import { Panel, Target } from './dashboard';
import { toFrames } from './frames';
import { fillQuery, fillSpans, Scope } from './interpolate';
import { Prometheus, PrometheusError } from './prometheus';
import { align, panelInterval, queryStep, rateInterval, SCRAPE_INTERVAL } from './steps';

export interface Request {
  panel: Panel;
  scope: Scope;
  range: TimeRange;
  /** Width of the panel in pixels, which is its number of points unless it says otherwise. */
  width: number;
}

/** Each query succeeds or fails by itself. Rejects only when it is aborted. */
export async function runPanel(server: Prometheus, request: Request, signal?: AbortSignal): Promise<PanelData> {
  const targets = (request.panel.targets ?? []).filter((target) => !target.hide);
  const errors: DataQueryError[] = [];
  const answers = await Promise.all(
    targets.map((target) =>
      runTarget(server, target, request, signal).catch((error) => {
        if (signal?.aborted) {
          throw error;
        }
        errors.push(toQueryError(error, target.refId));
        return [];
      })
    )
  );
  return {
    state: errors.length > 0 ? LoadingState.Error : LoadingState.Done,
    series: answers.flat(),
    timeRange: request.range,
    ...(errors.length > 0 && { errors, error: errors[0] }),
  };
}

async function runTarget(
  server: Prometheus,
  target: Target,
  request: Request,
  signal?: AbortSignal
): Promise<DataFrame[]> {
  const { from, to, step, expr } = plan(target, request);
  const asked = { refId: target.refId, legendFormat: target.legendFormat, expr, step };
  const answer = target.instant
    ? await server.query(expr, to, signal)
    : await server.queryRange(expr, align(from, step), align(to, step), step, signal);
  return toFrames(answer, asked);
}

/** What a query becomes in a panel of this width and this time range. */
export function plan(target: Target, { panel, scope, range, width }: Request) {
  const from = range.from.valueOf();
  const to = range.to.valueOf();
  const points = panel.maxDataPoints ?? width;
  const interval = panelInterval(to - from, points, ms(panel.interval) ?? SCRAPE_INTERVAL);
  const shortest = ms(target.interval);
  const step = queryStep(to - from, points, shortest ?? interval);
  const spans = {
    interval: step,
    rateInterval: rateInterval(interval, shortest ?? SCRAPE_INTERVAL),
    range: to - from,
  };
  return { from, to, step, expr: fillSpans(fillQuery(target.expr, scope), spans) };
}

function ms(interval?: string): number | undefined {
  return interval ? rangeUtil.intervalToMs(interval) : undefined;
}

function toQueryError(error: unknown, refId: string): DataQueryError {
  const message = error instanceof Error ? error.message : String(error);
  const status = error instanceof PrometheusError ? error.status : undefined;
  return { refId, message, status, data: { message } };
}

/**
 * Why there is no Prometheus to ask: not one query of all these panels was answered, not even with a no. Where one was,
 * the others fail for reasons of their own, such as one that takes too long.
 */
export function outage(panels: PanelData[]): string | undefined {
  const errors = panels.flatMap((data) => data.errors ?? []);
  const answered =
    panels.some(({ series }) => series.length > 0) ||
    errors.some(({ status = 500 }) => !new PrometheusError('', status).unavailable);
  return answered ? undefined : errors[0]?.message;
}
