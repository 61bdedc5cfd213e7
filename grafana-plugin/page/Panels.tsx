// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css, cx } from '@emotion/css';
import { AbsoluteTimeRange, DashboardCursorSync, EventBus, GrafanaTheme2, PanelPlugin, TimeZone } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { Panel } from '../host/dashboard';
import { Loaded } from './load';
import { PanelCard } from './PanelCard';

interface Props {
  plugin: PanelPlugin;
  panels: Loaded['panels'];
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

/** The panels, side by side where the dashboard has them so and the window is wide enough. */
export function Panels({ panels, only, onView, ...rest }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.grid}>
      {panels.map(({ shown, data }) => {
        const { h } = shown.panel.gridPos;
        const alone = shown.key === only;
        return (
          <div key={shown.key} className={cx((alone || fillsRow(shown.panel)) && styles.wide)}>
            <PanelCard
              {...rest}
              shown={shown}
              data={data}
              height={alone ? Math.max(rowsToPixels(h), window.innerHeight - 260) : rowsToPixels(h)}
              alone={alone}
              onView={() => onView(alone ? undefined : shown.key)}
            />
          </div>
        );
      })}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  grid: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 400px), 1fr))',
    gap: theme.spacing(1),
    '> div': { minWidth: 0 },
  }),
  wide: css({ gridColumn: '1 / -1' }),
});
