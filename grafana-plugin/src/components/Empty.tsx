// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { Kind, METRICS } from '../data/kind';
import { Notice } from '../data/notice';
import { EmptyReason, NEEDED } from './emptyReason';
import { SeverityIcon } from './SeverityIcon';

interface Props {
  reason: EmptyReason;
  width: number;
  height: number;
}

/** The queries that are listed if some are missing: the needed ones, and the states. */
const DRAWN: Kind[] = [...NEEDED, 'state'];

/** In lower panels there is room for the title only; the rest is at the pointer. */
const DETAILS_FROM = 110;

/** What the panel says if it has nothing to draw, and what to do about it. */
export function Empty({ reason, width, height }: Props) {
  const styles = useStyles2(getStyles);
  const { severity, title, details } = words(reason);
  const roomy = height >= DETAILS_FROM;
  return (
    <div className={styles.box} style={{ width, height }} role="status">
      <div className={styles.title}>
        {severity && <SeverityIcon severity={severity} size={16} />}
        <span>{title}</span>
      </div>
      {roomy && details.map((line) => <p key={line}>{line}</p>)}
      {roomy && reason.kind === 'unasked' && <Queries />}
    </div>
  );
}

interface Words {
  severity?: Notice['severity'];
  title: string;
  details: string[];
}

function words(reason: EmptyReason): Words {
  switch (reason.kind) {
    case 'loading':
      return { title: 'Loading…', details: [] };
    case 'failed':
      return {
        severity: 'error',
        title: reason.text,
        details: ['Check whether Prometheus answers, or correct the query in the panel editor.'],
      };
    case 'unasked':
      return {
        severity: 'warning',
        title: `Queries missing: ${reason.queries.join(', ')}`,
        details: [
          'The panel knows its queries by their names. The dashboard Bottlenecks has all of them. These draw the ' +
            'picture:',
        ],
      };
    case 'unanswered':
      return {
        severity: 'info',
        title: 'No data in this time range',
        details: [
          reason.text ??
            'Choose a range in which Prometheus scraped nstar_exporter (job nstar_windows), and tiers that exist ' +
              'in it.',
        ],
      };
  }
}

function Queries() {
  const styles = useStyles2(getStyles);
  return (
    <>
      <dl className={styles.queries}>
        {DRAWN.map((kind) => (
          <React.Fragment key={kind}>
            <dt>{kind}</dt>
            <dd>
              <code>last_over_time({METRICS[kind]}[1ms])</code>, min step 50 ms
            </dd>
          </React.Fragment>
        ))}
      </dl>
      <p>Prometheus gets these metrics from nstar_exporter by the scrape job nstar_windows.</p>
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  box: css({
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: theme.spacing(1),
    padding: theme.spacing(1),
    overflow: 'auto',
    textAlign: 'center',
    color: theme.colors.text.secondary,
    p: { margin: 0, maxWidth: 640 },
  }),
  title: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    color: theme.colors.text.primary,
    fontWeight: theme.typography.fontWeightMedium,
    overflowWrap: 'anywhere',
  }),
  queries: css({
    display: 'grid',
    gridTemplateColumns: 'auto auto',
    columnGap: theme.spacing(2),
    rowGap: theme.spacing(0.5),
    margin: 0,
    textAlign: 'left',
    dt: { color: theme.colors.text.primary },
    dd: { margin: 0 },
  }),
});
