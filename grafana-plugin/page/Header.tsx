// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2, TimeRange } from '@grafana/data';
import { RefreshPicker, TimeRangePicker, ToolbarButton, useStyles2, useTheme2 } from '@grafana/ui';
import { Choice } from '../host/variables';
import { Address } from './address';
import { rangeToAddress, shifted } from './range';
import { VariableControl } from './VariableControl';

interface Props {
  title: string;
  address: Address;
  change: (part: Partial<Address>) => void;
  choices?: ReadonlyMap<string, Choice>;
  range: TimeRange;
  onRefresh: () => void;
}

/** Variables of the dashboard that are worth a choice here; the others stay as the dashboard has them. */
const SHOWN = ['app', 'tier'];

const INTERVALS = ['1s', '2s', '5s', '10s', '30s', '1m', '5m'];

const RANGES = [
  ['30s', '30 seconds'],
  ['1m', '1 minute'],
  ['2m', '2 minutes'],
  ['5m', '5 minutes'],
  ['10m', '10 minutes'],
  ['15m', '15 minutes'],
  ['30m', '30 minutes'],
  ['1h', '1 hour'],
  ['3h', '3 hours'],
  ['12h', '12 hours'],
  ['24h', '24 hours'],
].map(([span, name]) => ({ from: `now-${span}`, to: 'now', display: `Last ${name}` }));

export function Header({ title, address, change, choices, range, onRefresh }: Props) {
  const styles = useStyles2(getStyles);
  const { isDark } = useTheme2();
  const other = isDark ? 'light' : 'dark';
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>
        <img className={styles.logo} src="plugin/img/logo.svg" alt="" />
        {title}
      </h1>
      <div className={styles.controls}>
        {SHOWN.map((name) => {
          const choice = choices?.get(name);
          return (
            choice && (
              <VariableControl
                key={name}
                choice={choice}
                onChange={(values) =>
                  // A choice of tiers is one within an application.
                  change({ variables: name === 'app' ? { app: values } : { ...address.variables, [name]: values } })
                }
              />
            )
          );
        })}
        <TimeRangePicker
          value={range}
          timeZone={address.timezone}
          quickRanges={RANGES}
          isOnCanvas
          onChange={(next) => change(rangeToAddress(next))}
          onChangeTimeZone={(timezone) => change({ timezone })}
          onMoveBackward={() => change(shifted(range, -0.5))}
          onMoveForward={() => change(shifted(range, 0.5))}
          onZoom={() => change(shifted(range, 0, 2))}
        />
        <RefreshPicker
          value={address.refresh}
          intervals={INTERVALS}
          tooltip="Refresh"
          isOnCanvas
          onRefresh={onRefresh}
          onIntervalChanged={(refresh) => change({ refresh })}
        />
        <ToolbarButton
          variant="canvas"
          icon="adjust-circle"
          tooltip={`Switch to ${other}`}
          aria-label={`Switch to ${other}`}
          onClick={() => change({ theme: other })}
        />
      </div>
    </header>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  header: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1, 2),
    padding: theme.spacing(1, 2),
    borderBottom: `1px solid ${theme.colors.border.weak}`,
    background: theme.colors.background.primary,
    [theme.breakpoints.down('sm')]: { padding: theme.spacing(1) },
  }),
  title: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    margin: 0,
    marginRight: 'auto',
    fontSize: theme.typography.h4.fontSize,
  }),
  logo: css({ width: 24, height: 24 }),
  controls: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1) }),
});
