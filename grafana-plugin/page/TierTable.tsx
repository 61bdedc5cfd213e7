// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css, cx } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { stateColour } from '../src/draw/colour';
import { State } from '../src/model/state';
import { Condition, Failed, TierNow } from './findings';
import { formatNumber, formatRate, formatShare } from '../src/components/format';

interface Props {
  tiers: TierNow[];
  /** Queries of the table that have no answer. */
  failed: Failed;
}

const NO_ANSWER = 'no answer';

const WORDS: Record<Condition, string> = {
  frozen: 'frozen',
  saturated: 'saturated',
  ok: 'ok',
  unseen: 'never at its limit',
  unknown: NO_ANSWER,
};

interface Column {
  query: 'saturated' | 'frozen' | 'saturationPoint' | 'maxThroughput';
  head: React.ReactNode;
  format: (value: number) => string;
  /** For what was not recorded. */
  nothing: string;
}

const NUMBERS: Column[] = [
  { query: 'saturated', head: 'Saturated', format: formatShare, nothing: '–' },
  { query: 'frozen', head: 'Frozen', format: formatShare, nothing: '–' },
  {
    query: 'saturationPoint',
    head: <abbr title="Saturation point: beyond this queue length more waiting requests gain nothing">N*</abbr>,
    format: formatNumber,
    nothing: 'not seen',
  },
  { query: 'maxThroughput', head: <abbr title="Best throughput">TPmax</abbr>, format: formatRate, nothing: '–' },
];

/** One line per tier. */
export function TierTable({ tiers, failed }: Props) {
  const styles = useStyles2(getStyles);
  const several = new Set(tiers.map(({ tier }) => tier)).size < tiers.length;
  const why = (query: string) => (failed.has(query) ? `Query ${query}: ${failed.get(query)}` : undefined);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Tier</th>
          {several && <th scope="col">Instance</th>}
          <th scope="col">State</th>
          {NUMBERS.map(({ query, head }) => (
            <th key={query} scope="col" className={styles.number}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tiers.map((now) => (
          <tr key={`${now.tier} ${now.instance}`}>
            <th scope="row">{now.tier}</th>
            {several && <td>{now.instance}</td>}
            <td title={why('state')}>
              <Badge condition={now.condition} />
            </td>
            {NUMBERS.map(({ query, format, nothing }) => (
              <td key={query} className={styles.number} title={why(query)}>
                {write(now[query], format, failed.has(query) ? NO_ANSWER : nothing)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function write(value: number | null, format: (value: number) => string, nothing: string): string {
  return value === null ? nothing : format(value);
}

const STATES: Partial<Record<Condition, State>> = { frozen: State.Frozen, saturated: State.Saturated };

function Badge({ condition }: { condition: Condition }) {
  const styles = useStyles2(getStyles);
  const theme = useTheme2();
  const state = STATES[condition];
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
