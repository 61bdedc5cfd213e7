// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { AbsoluteTimeRange, DashboardCursorSync, EventBus, GrafanaTheme2, PanelPlugin, TimeZone } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { Panel } from '../host/dashboard';
import { Loaded } from './load';
import { PanelCard } from './PanelCard';

interface Props {
  plugin: PanelPlugin;
  panels: Loaded['panels'];
  /** The next answers are long in coming. */
  slow: boolean;
  timeZone: TimeZone;
  eventBus: EventBus;
  sync: DashboardCursorSync;
  /** Key of the panel that is shown alone. */
  only?: string;
  onChangeTimeRange: (range: AbsoluteTimeRange) => void;
  onView: (key: string | undefined) => void;
}

/** Grafana's grid: 24 columns; a row is 30 px high with a gap of 8 px below. */
const COLUMNS = 24;
const rowsToPixels = (rows: number) => rows * 38 - 8;

/** The width of a repeated panel is that of all its copies beside each other. */
function fillsRow({ gridPos, repeat, repeatDirection }: Panel): boolean {
  return gridPos.w >= COLUMNS && (!repeat || repeatDirection === 'v');
}

/** The panels, side by side if the dashboard has them so and the window is wide enough. */
export function Panels({ panels, only, onView, ...rest }: Props) {
  const styles = useStyles2(getStyles);
  return rows(panels, only).map((row) => (
    <div key={row[0].shown.key} className={styles.row}>
      {row.map(({ shown, data }) => {
        const height = rowsToPixels(shown.panel.gridPos.h);
        const alone = shown.key === only;
        return (
          <PanelCard
            {...rest}
            key={shown.key}
            shown={shown}
            data={data}
            height={alone ? Math.max(height, window.innerHeight - 260) : height}
            alone={alone}
            onView={() => onView(alone ? undefined : shown.key)}
          />
        );
      })}
    </div>
  ));
}

/** Panels that go beside each other. */
function rows(panels: Loaded['panels'], only?: string): Array<Loaded['panels']> {
  const all: Array<Loaded['panels']> = [];
  let open = false;
  for (const panel of panels) {
    const alone = panel.shown.key === only || fillsRow(panel.shown.panel);
    if (open && !alone) {
      all[all.length - 1].push(panel);
    } else {
      all.push([panel]);
    }
    open = !alone;
  }
  return all;
}

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 400px), 1fr))',
    gap: theme.spacing(1),
    '> div': { minWidth: 0 },
  }),
});
