// SPDX-License-Identifier: Apache-2.0
import React, { useCallback, useMemo, useState } from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { stateColour } from '../draw/colour';
import { Hit, SequenceHover, SequenceScene } from '../draw/sequenceScene';
import { windowAt } from '../model/moment';
import { findAgain, ofState } from '../model/picked';
import { State } from '../model/state';
import { Picture, QueueKind, Tier } from '../model/tier';
import { AllHidden } from './AllHidden';
import { describeSequence } from './describeSequence';
import { BAR_HEIGHT, EpisodeBar } from './EpisodeBar';
import { formatMoment, formatNumber } from './format';
import { publishTime, useSharedTime } from './hover';
import { plotTheme } from './plotTheme';
import { sequenceRows } from './sequenceRows';
import { sequenceTiers } from './sequenceTiers';
import { Tooltip } from './Tooltip';
import { usePicked } from './usePicked';
import { useSequencePlot } from './useSequencePlot';
import { useShownTiers } from './useShownTiers';
import { ViewProps } from './view';

/** Lower panels keep their height for the plot, as long as nothing is picked. */
const OFFER_FROM = 200;

/** Throughput against queue length, a point per window. */
export function SequenceView(props: ViewProps) {
  const { picture, hidden, options, width, height, timeZone, eventBus, onZoom } = props;
  const theme = useTheme2();
  const styles = useStyles2(getStyles);
  const [hover, setHover] = useState<SequenceHover | null>(null);
  const { picked, choose, clear } = usePicked(picture);

  const shown = useShownTiers(picture, hidden, theme);
  const tiers = useMemo(() => shown.map(({ tier }) => tier), [shown]);
  const frozen = useMemo(() => countFrozen(tiers), [tiers]);
  const selected = useMemo(() => picked && findAgain(picked, tiers), [picked, tiers]);
  const drawn = useMemo(() => sequenceTiers(shown, picture.step, picture.tiers.length > 1), [shown, picture]);
  const description = useMemo(() => describeSequence({ tiers, step: picture.step }), [tiers, picture.step]);
  const names = useMemo(() => new Map(picture.tiers.map(({ key, name }) => [key, name])), [picture]);

  const withBar = picked !== null || (frozen > 0 && height >= OFFER_FROM);
  const plotHeight = height - (withBar ? BAR_HEIGHT : 0);
  const scene = useMemo<SequenceScene>(
    () => ({
      width,
      height: plotHeight,
      log: options.queueScale === 'log',
      queueKind: drawnQueue(tiers),
      tiers: drawn,
      showCurve: options.showCurve,
      selected,
      theme: plotTheme(theme),
      numberFormat: formatNumber,
      description,
    }),
    [width, plotHeight, options.queueScale, options.showCurve, drawn, tiers, selected, theme, description]
  );

  const onHover = useCallback(
    (at: SequenceHover | null) => {
      setHover(at);
      // the middle of the window, so that it is no other window's time
      publishTime(eventBus, at && tiers[at.hit.tier].time[at.hit.index] - tiers[at.hit.tier].width / 2);
    },
    [eventBus, tiers]
  );
  const onBrush = useCallback((within: Uint8Array[]) => choose(tiers, within), [choose, tiers]);

  const pointed = hover && tiers[hover.hit.tier];
  const shared = useSharedTime(eventBus);
  const marks = useMemo(() => marked(tiers, picture, hover, shared), [tiers, picture, hover, shared]);
  const root = useSequencePlot(scene, marks, { onHover, onBrush, onClear: clear });

  return (
    <div className={styles.view} style={{ width, height }}>
      <div ref={root} className={styles.plot} style={{ height: plotHeight }} />
      {withBar && (
        <EpisodeBar
          picked={picked}
          frozen={frozen}
          names={names}
          width={width}
          timeZone={timeZone}
          onFrozen={() => choose(tiers, ofState(tiers, State.Frozen))}
          onZoom={onZoom}
          onClear={clear}
        />
      )}
      {tiers.length === 0 && <AllHidden />}
      {hover && pointed && hover.hit.index < pointed.time.length && (
        <Tooltip
          x={hover.x}
          y={hover.y}
          width={width}
          height={height}
          title={formatMoment(pointed.time[hover.hit.index], timeZone)}
          rows={sequenceRows(pointed, hover.hit.index, {
            tier: shown[hover.hit.tier].colour,
            frozen: stateColour(State.Frozen, theme),
          })}
        />
      )}
    </div>
  );
}

/** The window at the pointer and those of the other tiers at the same time; or those at another panel's pointer. */
function marked(tiers: readonly Tier[], picture: Picture, hover: SequenceHover | null, shared: number | null): Hit[] {
  const own = hover && tiers[hover.hit.tier];
  const time = own ? own.time[hover.hit.index] : shared;
  if (time === null || time === undefined) {
    return [];
  }
  const hits = tiers
    .map((tier, t) => ({ tier: t, index: windowAt(tier, time, picture) }))
    .filter(({ index }) => index >= 0);
  return own ? [hover.hit, ...hits.filter(({ tier }) => tier !== hover.hit.tier)] : hits;
}

/**
 * The quantity on the axis. If tiers differ, because an exporter knows no own queue, the axis gets the more general
 * name.
 */
function drawnQueue(tiers: readonly Tier[]): QueueKind {
  return tiers.every(({ queueKind }) => queueKind === 'own') ? 'own' : 'total';
}

function countFrozen(tiers: readonly Tier[]): number {
  return tiers.reduce(
    (sum, { state }) => sum + state.reduce((count, of) => count + (of === State.Frozen ? 1 : 0), 0),
    0
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  view: css({ position: 'relative', overflow: 'hidden' }),
  plot: css({
    '.u-cursor-x': { borderRight: `1px dashed ${theme.colors.text.disabled}` },
    '.u-cursor-y': { borderBottom: `1px dashed ${theme.colors.text.disabled}` },
    '.u-select': {
      background: theme.colors.action.selected,
      boxShadow: `inset 0 0 0 1px ${theme.colors.text.secondary}`,
    },
  }),
});
