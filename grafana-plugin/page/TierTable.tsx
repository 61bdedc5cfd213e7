// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { formatRate, formatShare } from '../src/components/format';
import { nStarWords } from '../src/components/nStarWords';
import { StateSwatch } from '../src/components/StateSwatch';
import { State } from '../src/model/state';
import { Failed, TierNow } from './findings';

interface Props {
  tiers: TierNow[];
  /** Queries of the table that have no answer. */
  failed: Failed;
}

const NO_ANSWER = 'no answer';

interface Column {
  query: string;
  head: React.ReactNode;
  /** Empty for values that were not recorded. */
  write(now: TierNow): string;
}

function shareOf(state: State, query: 'frozen' | 'saturated' | 'waiting' | 'unknown', head: string): Column {
  return {
    query,
    head: (
      <>
        <StateSwatch state={state} /> {head}
      </>
    ),
    write: (now) => (now[query] === null ? '' : formatShare(now[query])),
  };
}

const COLUMNS: Column[] = [
  shareOf(State.Frozen, 'frozen', 'Frozen'),
  shareOf(State.Saturated, 'saturated', 'Saturated'),
  shareOf(State.Waiting, 'waiting', 'Waiting'),
  shareOf(State.Unknown, 'unknown', 'Unknown'),
  {
    query: 'saturationPoint',
    head: <abbr title="Saturation point: beyond this own queue length more waiting requests gain nothing">N*</abbr>,
    write: ({ nStar, nStarStatus }) => nStarWords({ nStar, nStarInterval: null, nStarStatus }),
  },
  {
    query: 'maxThroughput',
    head: <abbr title="Best throughput">TPmax</abbr>,
    write: ({ tpMax }) => (tpMax === null ? '' : formatRate(tpMax)),
  },
];

/** One line per server of a tier: the share of its windows in the states that matter, and its limits. */
export function TierTable({ tiers, failed }: Props) {
  const styles = useStyles2(getStyles);
  const several = new Set(tiers.map(({ tier }) => tier)).size < tiers.length;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Tier</th>
          {several && <th scope="col">Instance</th>}
          {COLUMNS.map(({ query, head }) => (
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
            {COLUMNS.map(({ query, write }) => (
              <td
                key={query}
                className={styles.number}
                title={failed.has(query) ? `Query ${query}: ${failed.get(query)}` : undefined}
              >
                {write(now) || (failed.has(query) ? NO_ANSWER : '–')}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  table: css({
    borderCollapse: 'collapse',
    'th, td': { padding: theme.spacing(0.25, 1.5), textAlign: 'left', fontWeight: 'normal', whiteSpace: 'nowrap' },
    'thead th': { color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize },
    'thead span': { verticalAlign: 'middle' },
    'tbody th': { fontWeight: theme.typography.fontWeightMedium },
    'tbody tr': { borderTop: `1px solid ${theme.colors.border.weak}` },
    abbr: { textDecoration: 'none', cursor: 'help', borderBottom: 'none' },
    [theme.breakpoints.down('sm')]: {
      width: '100%',
      fontSize: theme.typography.bodySmall.fontSize,
      'th, td': { padding: theme.spacing(0.5, 0.5), whiteSpace: 'normal' },
      // This leaves room for more important columns.
      'th:last-child, td:last-child': { display: 'none' },
    },
  }),
  number: css({ '&&': { textAlign: 'right' }, fontVariantNumeric: 'tabular-nums' }),
});
