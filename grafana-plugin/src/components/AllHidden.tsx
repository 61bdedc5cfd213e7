// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

/** Stands in a view of which the legend hides every tier. */
export function AllHidden() {
  return <div className={useStyles2(getStyle)}>All tiers are hidden. Choose one in the legend.</div>;
}

const getStyle = (theme: GrafanaTheme2) =>
  css({
    position: 'absolute',
    inset: 0,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    color: theme.colors.text.secondary,
    pointerEvents: 'none',
  });
