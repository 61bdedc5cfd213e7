// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

export function Footer() {
  const styles = useStyles2(getStyles);
  return (
    <footer className={styles.footer}>
      These are the panels of Nstar. The full dashboard, with correlations, causes and history, is{' '}
      <code>dashboards/bottlenecks.json</code> for Grafana 12.3 or newer.
    </footer>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  footer: css({
    padding: theme.spacing(1, 2, 2),
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
});
