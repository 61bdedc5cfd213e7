// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { HoverRow } from './hoverRows';
import { StateSwatch } from './StateSwatch';

/** What the tiers did at one time, one below the other. */
export function HoverTable({ rows }: { rows: readonly HoverRow[] }) {
  const styles = useStyles2(getStyles);
  const gc = rows.some((row) => row.gc !== '');
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Tier</th>
          <th scope="col">State</th>
          <th scope="col">{rows.every((row) => row.queueKind === 'own') ? 'Own queue' : 'Queue'}</th>
          <th scope="col">Throughput</th>
          {gc && <th scope="col">GC</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.name}</th>
            <td>
              <span className={styles.state}>
                {row.state !== null && <StateSwatch state={row.state} />}
                {row.states}
              </span>
            </td>
            <td>{row.queue}</td>
            <td>{row.throughput}</td>
            {gc && <td>{row.gc}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  table: css({
    borderCollapse: 'collapse',
    fontVariantNumeric: 'tabular-nums',
    'th, td': { padding: theme.spacing(0, 0, 0, 2), textAlign: 'right', verticalAlign: 'top', whiteSpace: 'nowrap' },
    'th:first-child': { maxWidth: 160, padding: 0, overflow: 'hidden', textAlign: 'left', textOverflow: 'ellipsis' },
    'th:nth-child(2), td:nth-child(2)': { textAlign: 'left', whiteSpace: 'normal' },
    'thead th': { color: theme.colors.text.secondary, fontWeight: theme.typography.fontWeightRegular },
    'tbody th': { fontWeight: theme.typography.fontWeightMedium },
  }),
  state: css({ display: 'inline-flex', alignItems: 'center', gap: theme.spacing(0.75) }),
});
