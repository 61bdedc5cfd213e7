// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { formatMilliseconds, formatShare } from '../src/components/format';
import { fade, tierColour } from '../src/draw/colour';
import { Charge } from './findings';
import { Words } from './words';

interface Props {
  charges: readonly Charge[];
  /** Place of a tier, by which its colour goes. */
  place: ReadonlyMap<string, number>;
  cause: Words;
}

/** Parts with no more than this share of the time are not listed; the bar still shows them. */
const LISTED_FROM = 0.005;
/** The part without excess: it is pale, the rest is in the tier's full colour. */
const WORK = 'work';
const PALE = 0.4;

/** The mean response time as a bar, by what it is charged to, and the same as a list. */
export function TimeBar({ charges, place, cause }: Props) {
  const styles = useStyles2(getStyles);
  const theme = useTheme2();
  const total = charges.reduce((sum, { seconds }) => sum + seconds, 0);
  const colour = ({ tier, cause: of }: Charge) => {
    const full = tierColour(place.get(tier) ?? 0, theme);
    return of === WORK ? fade(full, PALE) : full;
  };
  const listed = charges.filter(({ seconds }) => seconds >= LISTED_FROM * total).sort((a, b) => b.seconds - a.seconds);
  const tails = listed.some(({ tail }) => tail !== null);
  return (
    <div className={styles.box}>
      <div className={styles.bar} aria-hidden>
        {charges.map((charge) => (
          <span
            key={`${charge.tier} ${charge.cause}`}
            title={`${charge.tier}, ${cause(charge.cause)}: ${formatMilliseconds(charge.seconds)}`}
            style={{ flexGrow: charge.seconds / total, background: colour(charge) }}
          />
        ))}
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">The time is charged to</th>
            <th scope="col">for</th>
            <th scope="col" className={styles.number}>
              Mean
            </th>
            {tails && (
              <th scope="col" className={styles.number}>
                Worst moments
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {listed.map((charge) => (
            <tr key={`${charge.tier} ${charge.cause}`}>
              <th scope="row">
                <span className={styles.dot} style={{ background: colour(charge) }} />
                {charge.tier}
              </th>
              <td>{cause(charge.cause)}</td>
              <td className={styles.number}>{formatMilliseconds(charge.seconds)}</td>
              {tails && <td className={styles.number}>{charge.tail === null ? '–' : formatShare(charge.tail)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  box: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1) }),
  bar: css({
    display: 'flex',
    gap: 2,
    height: 18,
    overflow: 'hidden',
    borderRadius: theme.shape.radius.default,
    span: { flexBasis: 0, minWidth: 1 },
  }),
  table: css({
    alignSelf: 'flex-start',
    borderCollapse: 'collapse',
    'th, td': { padding: theme.spacing(0.25, 1.5, 0.25, 0), textAlign: 'left', fontWeight: 'normal' },
    'thead th': { color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize },
    'tbody th': { fontWeight: theme.typography.fontWeightMedium, whiteSpace: 'nowrap' },
    'tbody tr': { borderTop: `1px solid ${theme.colors.border.weak}` },
    [theme.breakpoints.down('sm')]: { width: '100%', fontSize: theme.typography.bodySmall.fontSize },
  }),
  number: css({ '&&': { textAlign: 'right', whiteSpace: 'nowrap' }, fontVariantNumeric: 'tabular-nums' }),
  dot: css({ display: 'inline-block', width: 10, height: 10, borderRadius: 2, marginRight: theme.spacing(0.75) }),
});
