// SPDX-License-Identifier: Apache-2.0
import React, { useCallback, useEffect, useMemo } from 'react';
import { css } from '@emotion/css';
import {
  AbsoluteTimeRange,
  DashboardCursorSync,
  EventBusSrv,
  GrafanaTheme2,
  PanelPlugin,
  rangeUtil,
} from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { Dashboard } from '../host/dashboard';
import { Guard } from '../host/Guard';
import { Prometheus } from '../host/prometheus';
import { Theme } from '../host/Theme';
import { Address } from './address';
import { Failure } from './Failure';
import { Footer } from './Footer';
import { Header } from './Header';
import { Now } from './Now';
import { Panels } from './Panels';
import { timeRange } from './range';
import { useAddress } from './useAddress';
import { useLoaded } from './useLoaded';
import { useMode } from './useMode';
import { useSlow } from './useSlow';

const PLUGIN_ID = 'nstar-mainsequence-panel';

interface Props {
  server: Prometheus;
  plugin: PanelPlugin;
  dashboard: Dashboard;
}

export function App(props: Props) {
  const [address, change] = useAddress();
  const mode = useMode(address.theme);
  return (
    <Theme mode={mode}>
      <Guard what="This page" data={address}>
        <Page {...props} address={address} change={change} />
      </Guard>
    </Theme>
  );
}

interface PageProps extends Props {
  address: Address;
  change: (part: Partial<Address>) => void;
}

function Page({ server, plugin, dashboard, address, change }: PageProps) {
  const styles = useStyles2(getStyles);
  const { from, to, timezone, refresh, viewPanel: only, variables } = address;
  // It loads again only if something changes the answers.
  const chosen = JSON.stringify(variables);
  const want = useCallback(
    () => ({
      dashboard,
      pluginId: PLUGIN_ID,
      range: timeRange({ from, to, timezone }),
      variables: JSON.parse(chosen),
      only,
      width: window.innerWidth,
    }),
    [dashboard, from, to, timezone, chosen, only]
  );
  const { loaded, failure, loading, reload } = useLoaded(server, want, milliseconds(refresh));
  const slow = useSlow(loading);
  const eventBus = useMemo(() => new EventBusSrv(), []);
  const onChangeTimeRange = useCallback(
    (range: AbsoluteTimeRange) => change({ from: String(Math.round(range.from)), to: String(Math.round(range.to)) }),
    [change]
  );
  useEffect(() => {
    document.title = dashboard.title;
  }, [dashboard]);

  return (
    <div className={styles.page}>
      <Header
        title={dashboard.title}
        address={address}
        change={change}
        choices={loaded?.choices}
        range={timeRange({ from, to, timezone })}
        onRefresh={reload}
      />
      <main className={styles.main} aria-busy={loading}>
        {failure && <Failure reason={failure} refresh={refresh} />}
        {loaded && (
          <>
            <Now findings={loaded.findings} words={loaded.words} range={loaded.range} timeZone={timezone} />
            <Panels
              plugin={plugin}
              panels={loaded.panels}
              slow={slow}
              timeZone={timezone}
              eventBus={eventBus}
              sync={dashboard.graphTooltip ?? DashboardCursorSync.Off}
              only={only}
              onChangeTimeRange={onChangeTimeRange}
              onView={(viewPanel) => change({ viewPanel })}
            />
          </>
        )}
        {!loaded && !failure && <p className={styles.waiting}>Asking Prometheus…</p>}
      </main>
      <Footer />
    </div>
  );
}

function milliseconds(refresh: string): number {
  return /^\d+(ms|s|m|h)$/.test(refresh) ? rangeUtil.intervalToMs(refresh) : 0;
}

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({
    minHeight: '100vh',
    display: 'flex',
    flexDirection: 'column',
    background: theme.colors.background.canvas,
    color: theme.colors.text.primary,
  }),
  main: css({
    flex: 1,
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
    padding: theme.spacing(2),
    [theme.breakpoints.down('sm')]: { padding: theme.spacing(1) },
  }),
  waiting: css({ color: theme.colors.text.secondary }),
});
