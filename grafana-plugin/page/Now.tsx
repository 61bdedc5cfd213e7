// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { dateTimeFormat, GrafanaTheme2, TimeRange, TimeZone } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { Findings } from './findings';
import { TierTable } from './TierTable';
import { TimeBar } from './TimeBar';
import { verdict, Vocabulary, Weight } from './verdict';

interface Props {
  findings: Findings;
  words: Vocabulary;
  range: TimeRange;
  timeZone: TimeZone;
}

/** The verdict, in words; where the time goes; and a small table of the tiers. */
export function Now({ findings, words, range, timeZone }: Props) {
  const styles = useStyles2(getStyles);
  const theme = useTheme2();
  const { weight, text, where, advice } = verdict(findings, words);
  const end = dateTimeFormat(range.to, { timeZone, format: 'HH:mm:ss' });
  return (
    <section className={styles.now} aria-label="The last minute">
      <div className={styles.verdict} style={{ borderLeftColor: colour(weight, theme) }}>
        {/* Read out only when it changes: the time beside it changes with each refresh. */}
        <p role="status" data-testid="verdict" className={styles.said}>
          {text}
        </p>
        {advice && <p>{advice}</p>}
        {where && <p className={styles.where}>{where}</p>}
        <small className={styles.when}>In the minute to {end}</small>
      </div>
      {findings.charges.length > 0 && (
        <div className={styles.time}>
          <TimeBar {...findings} cause={words.cause} />
        </div>
      )}
      {findings.tiers.length > 0 && (
        <div className={styles.tiers}>
          <TierTable tiers={findings.tiers} failed={findings.failed.tiers} />
        </div>
      )}
    </section>
  );
}

function colour(weight: Weight, { colors }: GrafanaTheme2): string {
  switch (weight) {
    case 'bad':
      return colors.error.main;
    case 'good':
      return colors.success.main;
    default:
      return colors.text.disabled;
  }
}

const getStyles = (theme: GrafanaTheme2) => ({
  now: css({
    display: 'grid',
    gridTemplate: '"verdict time" auto "tiers time" 1fr / minmax(0, 1fr) minmax(0, 1fr)',
    gap: theme.spacing(2, 4),
    padding: theme.spacing(2),
    background: theme.colors.background.primary,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.lg,
    [theme.breakpoints.down('lg')]: { gridTemplate: '"verdict" "time" "tiers" / minmax(0, 1fr)' },
    [theme.breakpoints.down('sm')]: { padding: theme.spacing(1) },
  }),
  time: css({ gridArea: 'time' }),
  tiers: css({ gridArea: 'tiers' }),
  verdict: css({
    gridArea: 'verdict',
    paddingLeft: theme.spacing(2),
    borderLeft: '4px solid',
    // The words of Prometheus may hold whole selectors.
    overflowWrap: 'anywhere',
    p: { margin: theme.spacing(0, 0, 0.5) },
  }),
  said: css({ fontSize: theme.typography.h4.fontSize, lineHeight: 1.4 }),
  where: css({ color: theme.colors.text.secondary }),
  when: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
});
