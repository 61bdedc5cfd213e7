// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css, cx } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { stateColour } from '../src/draw/colour';
import { State } from '../src/model/state';
import { Condition, TierNow } from './findings';
import { formatNumber, formatRate, formatShare } from '../src/components/format';

interface Props {
  tiers: TierNow[];
}

const WORDS: Record<Condition, string> = {
  frozen: 'frozen',
  saturated: 'saturated',
  ok: 'ok',
  unseen: 'never at its limit',
};

/** One line per tier. */
export function TierTable({ tiers }: Props) {
  const styles = useStyles2(getStyles);
  const several = new Set(tiers.map(({ tier }) => tier)).size < tiers.length;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Tier</th>
          {several && <th scope="col">Exporter</th>}
          <th scope="col">State</th>
          <th scope="col" className={styles.number}>
            Saturated
          </th>
          <th scope="col" className={styles.number}>
            Frozen
          </th>
          <th scope="col" className={styles.number}>
            <abbr title="Saturation point: beyond this queue length more waiting requests gain nothing">N*</abbr>
          </th>
          <th scope="col" className={styles.number}>
            <abbr title="Best throughput">TPmax</abbr>
          </th>
        </tr>
      </thead>
      <tbody>
        {tiers.map((now) => (
          <tr key={`${now.tier} ${now.instance}`}>
            <th scope="row">{now.tier}</th>
            {several && <td>{now.instance}</td>}
            <td>
              <Badge condition={now.condition} />
            </td>
            <td className={styles.number}>{formatShare(now.saturated ?? NaN)}</td>
            <td className={styles.number}>{formatShare(now.frozen ?? NaN)}</td>
            <td className={styles.number}>
              {now.saturationPoint === null ? 'not seen' : formatNumber(now.saturationPoint)}
            </td>
            <td className={styles.number}>{formatRate(now.maxThroughput ?? NaN)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Badge({ condition }: { condition: Condition }) {
  const styles = useStyles2(getStyles);
  const theme = useTheme2();
  const state = { frozen: State.Frozen, saturated: State.Saturated, ok: undefined, unseen: undefined }[condition];
  return (
    <span className={cx(styles.badge, state === undefined && styles.quiet)}>
      {state !== undefined && <span className={styles.dot} style={{ background: stateColour(state, theme) }} />}
      {WORDS[condition]}
    </span>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  table: css({
    flex: '0 1 auto',
    borderCollapse: 'collapse',
    'th, td': { padding: theme.spacing(0.25, 1.5), textAlign: 'left', fontWeight: 'normal', whiteSpace: 'nowrap' },
    'thead th': { color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize },
    'tbody th': { fontWeight: theme.typography.fontWeightMedium },
    'tbody tr': { borderTop: `1px solid ${theme.colors.border.weak}` },
    abbr: { textDecoration: 'none', cursor: 'help', borderBottom: 'none' },
    [theme.breakpoints.down('sm')]: {
      width: '100%',
      fontSize: theme.typography.bodySmall.fontSize,
      'th, td': { padding: theme.spacing(0.5, 0.5) },
    },
  }),
  number: css({ '&&': { textAlign: 'right' }, fontVariantNumeric: 'tabular-nums' }),
  badge: css({ display: 'inline-flex', alignItems: 'center', gap: theme.spacing(0.75) }),
  quiet: css({ color: theme.colors.text.secondary }),
  dot: css({ width: 10, height: 10, borderRadius: '50%' }),
});
