// SPDX-License-Identifier: Apache-2.0
import { PanelData, TimeRange } from '@grafana/data';
import { Dashboard, Panel, panelsOfType, repeat, Shown } from '../host/dashboard';
import { Scope } from '../host/interpolate';
import { Prometheus, PrometheusError } from '../host/prometheus';
import { outage, runPanel } from '../host/run';
import { Choice, resolveVariables } from '../host/variables';
import { Findings, findTables, readFindings, TABLES } from './findings';
import { Vocabulary } from './verdict';
import { wordsOf } from './words';

/** Everything that the page shows of one time range. */
export interface Loaded {
  range: TimeRange;
  choices: ReadonlyMap<string, Choice>;
  panels: Array<{ shown: Shown; data: PanelData }>;
  findings: Findings;
  words: Vocabulary;
}

export interface Wanted {
  dashboard: Dashboard;
  pluginId: string;
  range: TimeRange;
  variables: Readonly<Record<string, string[]>>;
  /** Key of the only panel to load. */
  only?: string;
  /** Width of the page, pixels. */
  width: number;
}

/** Rejects if there is no Prometheus to ask; a query that fails is handled by its panel, or by the verdict. */
export async function load(server: Prometheus, wanted: Wanted, signal: AbortSignal): Promise<Loaded> {
  const { dashboard, range, width } = wanted;
  const between = { from: range.from.valueOf(), to: range.to.valueOf() };
  const choices = await resolveVariables(dashboard, server, between, wanted.variables, signal);

  const run = (panel: Panel, scope: Scope) =>
    runPanel(server, { panel, scope, range, width: (width * panel.gridPos.w) / 24 }, signal);
  const found = findTables(dashboard);
  const [panels, tables] = await Promise.all([
    Promise.all(
      shownPanels(wanted, choices).map(async (shown) => ({ shown, data: await run(shown.panel, shown.scope) }))
    ),
    Promise.all(
      TABLES.map(async (name) => {
        const table = found[name];
        return [name, table && (await run(table, choices))] as const;
      })
    ),
  ]);
  const answers = [...panels.map(({ data }) => data), ...tables.map(([, data]) => data)];
  const reason = outage(answers.filter((data) => data !== undefined));
  if (reason !== undefined) {
    throw new PrometheusError(reason, 0);
  }
  const findings = readFindings(Object.fromEntries(tables), panels[0]?.data);
  const words = { cause: wordsOf(found.verdict, 'Cause'), advice: wordsOf(found.verdict, 'What to do first') };
  return { range, choices, panels, findings, words };
}

function shownPanels({ dashboard, pluginId, only }: Wanted, choices: ReadonlyMap<string, Choice>): Shown[] {
  const all = panelsOfType(dashboard, pluginId).flatMap((panel) => repeat(panel, choices));
  const chosen = all.filter(({ key }) => key === only);
  // An address may name a panel that is not there now: then there are all.
  return chosen.length > 0 ? chosen : all;
}
