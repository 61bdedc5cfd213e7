// SPDX-License-Identifier: Apache-2.0
import React, { useCallback, useMemo, useState } from 'react';
import { css } from '@emotion/css';
import { dateTimeFormat, GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { layoutLanes } from '../draw/lanes';
import { AXIS_HEIGHT, Hover, TOP } from '../draw/statesPlot';
import { StatesScene } from '../draw/statesScene';
import { AllHidden } from './AllHidden';
import { describeStates } from './describe';
import { formatMoment, formatNumber } from './format';
import { publishTime, useSharedTime } from './hover';
import { hoverRows, toldTime } from './hoverRows';
import { HoverTable } from './HoverTable';
import { plotTheme } from './plotTheme';
import { useSelection } from './selection';
import { Tooltip } from './Tooltip';
import { useShownTiers } from './useShownTiers';
import { useStatesPlot } from './useStatesPlot';
import { ViewProps } from './view';
import { zoned } from './zoned';

/** Room for a scroll bar. */
const SCROLL_BAR = 12;
const GUTTER = { letter: 7, padding: 14, min: 56, max: 160, share: 0.3 };

/** A time line of states per tier. */
export function StatesView(props: ViewProps) {
  const { picture, hidden, options, width, height, from, to, timeZone, eventBus, onZoom } = props;
  const theme = useTheme2();
  const styles = useStyles2(getStyles);
  const [scroll, setScroll] = useState(0);
  const [hover, setHover] = useState<Hover | null>(null);

  const shown = useShownTiers(picture, hidden, theme);
  const visible = height - AXIS_HEIGHT - TOP;
  const layout = useMemo(
    () =>
      layoutLanes(
        visible,
        shown.map(({ tier }) => ({ queue: options.showQueue, gc: options.showGc && hasGc(tier.gc) }))
      ),
    [visible, shown, options.showQueue, options.showGc]
  );
  const overflow = Math.max(0, layout.height - visible);
  const plotWidth = width - (overflow > 0 ? SCROLL_BAR : 0);

  const scene = useMemo<StatesScene>(
    () => ({
      width: plotWidth,
      height,
      gutter: gutterWidth(
        shown.map(({ tier }) => tier.name),
        plotWidth
      ),
      lanes: shown.map((lane, index) => ({ ...lane, lane: layout.lanes[index] })),
      scroll: Math.min(scroll, overflow),
      from,
      to,
      step: picture.step,
      theme: plotTheme(theme),
      timeFormat: (ms, format) => dateTimeFormat(ms, { format, timeZone }),
      queueFormat: formatNumber,
      zoned: (ms) => zoned(ms, timeZone),
    }),
    [plotWidth, height, shown, layout, scroll, overflow, from, to, picture.step, theme, timeZone]
  );

  const onHover = useCallback(
    (at: Hover | null) => {
      setHover(at);
      publishTime(eventBus, at && at.time);
    },
    [eventBus]
  );
  const root = useStatesPlot(scene, useSharedTime(eventBus), useSelection(), { onHover, onZoom });

  const tiers = useMemo(() => shown.map(({ tier }) => tier), [shown]);
  const label = useMemo(() => describeStates({ tiers, step: picture.step }), [tiers, picture.step]);

  return (
    <div className={styles.view} style={{ width, height }}>
      <div
        className={styles.scroller}
        onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
        {...(overflow > 0 && { tabIndex: 0, role: 'group', 'aria-label': 'Time lines, scroll for more tiers' })}
      >
        <div style={{ height: height + overflow }}>
          <div ref={root} className={styles.plot} style={{ height }} role="img" aria-label={label} />
        </div>
      </div>
      {shown.length === 0 && <AllHidden />}
      {hover && shown.length > 0 && (
        <Tooltip
          x={hover.x}
          y={hover.y}
          width={width}
          height={height}
          title={formatMoment(toldTime(picture, hover.time, hover.perPixel), timeZone)}
        >
          <HoverTable rows={hoverRows(tiers, picture.step, hover.time, hover.perPixel)} />
        </Tooltip>
      )}
    </div>
  );
}

const hasGc = (gc: Float64Array | null) => gc !== null && gc.some((share) => share >= 0);

function gutterWidth(names: string[], width: number): number {
  const longest = Math.max(0, ...names.map((name) => name.length)) * GUTTER.letter + GUTTER.padding;
  return Math.min(Math.max(longest, GUTTER.min), GUTTER.max, width * GUTTER.share);
}

const getStyles = (theme: GrafanaTheme2) => ({
  view: css({ position: 'relative', overflow: 'hidden' }),
  scroller: css({ height: '100%', overflowX: 'hidden', overflowY: 'auto' }),
  plot: css({
    position: 'sticky',
    top: 0,
    '& .uplot .u-cursor-x': { borderRight: `1px solid ${theme.colors.text.primary}`, opacity: 0.8 },
    '& .uplot .u-select': { background: theme.colors.action.selected },
  }),
});
