// SPDX-License-Identifier: Apache-2.0
import React, { useMemo } from 'react';
import { css, cx } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { tierColour } from '../draw/colour';
import { JUDGED, State, STATE_WORDS } from '../model/state';
import { stateShares } from '../model/stateShares';
import { Tier } from '../model/tier';
import { View } from '../types';
import { formatCount, formatRate, formatShare } from './format';
import { LegendLayout, ROW } from './legendLayout';
import { nStarWords } from './nStarWords';
import { StateSwatch } from './StateSwatch';
import { Hidden, isolate, toggle } from './visibility';

interface Props {
  tiers: readonly Tier[];
  /** Distance of neighbouring windows in the answer, ms. */
  step: number;
  hidden: Hidden;
  onChange(hidden: Hidden): void;
  layout: LegendLayout;
  view: View;
}

const PADDING = 4;

/** The states that the table names if it need not explain all states. */
const NOTABLE = [State.Frozen, State.Saturated, State.Waiting, State.Unknown];

/** The drawn values of each tier. A click on a name hides the tier; with Ctrl, Cmd or a double click only it shows. */
export function Legend(props: Props) {
  const { layout } = props;
  const styles = useStyles2(getStyles);
  if (layout.form === 'none') {
    return null;
  }
  return (
    <div className={styles.legend} style={{ height: layout.height }}>
      {layout.form === 'table' ? <Table {...props} /> : <Line {...props} />}
    </div>
  );
}

function Table(props: Props) {
  const { tiers, step, hidden, view } = props;
  const styles = useStyles2(getStyles);
  const shares = useMemo(() => tiers.map((tier) => stateShares(tier, step)), [tiers, step]);
  // time lines show all states, so that the table's head is the key to them
  const states = view === 'states' ? JUDGED : NOTABLE;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Tier</th>
          {states.map((state) => (
            <th scope="col" key={state}>
              <span className={styles.state}>
                {view === 'states' && <StateSwatch state={state} />}
                {STATE_WORDS[state]}
              </span>
            </th>
          ))}
          <th
            scope="col"
            title={
              'Saturation point: own queue length beyond which the throughput no longer rises, ' +
              'with the interval that contains it in 9 of 10 cases'
            }
          >
            N*
          </th>
          <th scope="col" title="Best throughput">
            TPmax
          </th>
          <th scope="col">Windows</th>
        </tr>
      </thead>
      <tbody>
        {tiers.map((tier, index) => (
          <tr key={tier.key} className={cx(hidden.has(tier.key) && styles.off)}>
            <th scope="row">
              <TierButton {...props} index={index} />
            </th>
            {states.map((state) => (
              <td key={state}>{formatShare(shares[index][state])}</td>
            ))}
            <td>{nStarWords(tier) || '–'}</td>
            <td>{tier.tpMax === null ? '–' : formatRate(tier.tpMax)}</td>
            <td>{formatCount(tier.time.length)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Line(props: Props) {
  const { tiers, view, layout } = props;
  const styles = useStyles2(getStyles);
  return (
    <div className={cx(styles.line, layout.height > 2 * ROW && styles.lines)}>
      <div className={styles.tiers}>
        {tiers.map((tier, index) => (
          <TierButton {...props} key={tier.key} index={index} />
        ))}
      </div>
      {view === 'states' && (
        <div className={styles.key}>
          {JUDGED.map((state) => (
            <span key={state} className={styles.state}>
              <StateSwatch state={state} />
              {STATE_WORDS[state]}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

function TierButton({ tiers, hidden, onChange, index }: Props & { index: number }) {
  const theme = useTheme2();
  const styles = useStyles2(getStyles);
  const { key, name, place } = tiers[index];
  const alone = () =>
    onChange(
      isolate(
        hidden,
        key,
        tiers.map((tier) => tier.key)
      )
    );
  return (
    <button
      type="button"
      className={cx(styles.tier, hidden.has(key) && styles.off)}
      aria-pressed={!hidden.has(key)}
      title={`${name}: click to hide or show, Ctrl or Cmd and click to show alone`}
      onClick={(event) => (event.ctrlKey || event.metaKey ? alone() : onChange(toggle(hidden, key)))}
      // the two clicks before it have undone each other
      onDoubleClick={(event) => !(event.ctrlKey || event.metaKey) && alone()}
    >
      <span className={styles.dot} style={{ background: tierColour(place, theme) }} />
      {name}
    </button>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  legend: css({
    overflow: 'auto',
    paddingTop: PADDING,
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
  table: css({
    borderCollapse: 'collapse',
    fontVariantNumeric: 'tabular-nums',
    tr: { height: ROW },
    'th, td': { padding: theme.spacing(0, 1.5), textAlign: 'right', whiteSpace: 'nowrap' },
    th: { fontWeight: theme.typography.fontWeightRegular },
    'th:first-child': { paddingLeft: 0, textAlign: 'left' },
    td: { color: theme.colors.text.primary },
    'thead th': { position: 'sticky', top: -PADDING, background: theme.colors.background.primary },
  }),
  line: css({ display: 'flex', columnGap: theme.spacing(3), height: '100%', whiteSpace: 'nowrap' }),
  lines: css({ flexDirection: 'column' }),
  // with many tiers the names scroll, so that the key to the states always shows
  tiers: css({
    display: 'flex',
    flex: '1 1 0',
    flexWrap: 'wrap',
    columnGap: theme.spacing(1.5),
    minHeight: ROW,
    overflowY: 'auto',
    '& > *': { height: ROW },
  }),
  key: css({
    display: 'flex',
    flex: 'none',
    flexWrap: 'wrap',
    columnGap: theme.spacing(1.5),
    '& > *': { height: ROW },
  }),
  state: css({ display: 'inline-flex', alignItems: 'center', verticalAlign: 'middle', gap: theme.spacing(0.75) }),
  tier: css({
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.75),
    padding: 0,
    border: 'none',
    borderRadius: theme.shape.radius.default,
    background: 'none',
    color: theme.colors.text.primary,
    font: 'inherit',
    cursor: 'pointer',
    '&:hover': { textDecoration: 'underline' },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: 2 },
  }),
  off: css({ 'td, &': { color: theme.colors.text.secondary }, textDecoration: 'line-through' }),
  dot: css({ flex: 'none', width: 12, height: 4, borderRadius: 2 }),
});
