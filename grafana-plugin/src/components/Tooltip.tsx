// SPDX-License-Identifier: Apache-2.0
import React, { ReactNode, useLayoutEffect, useRef } from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { beside } from '../model/corner';

export interface TooltipRow {
  /** Colour of the square before the label; none without. */
  colour?: string;
  label: string;
  value: string;
}

const NONE: TooltipRow[] = [];

interface Props {
  /** The pointer, in pixels of the panel. */
  x: number;
  y: number;
  /** Size of the panel, which the tooltip stays within. */
  width: number;
  height: number;
  title: string;
  rows?: TooltipRow[];
  /** Text that does not fit into label and value. */
  children?: ReactNode;
}

/** What is under the pointer, in words. It never takes the pointer itself. Its parent must be positioned. */
export function Tooltip({ x, y, width, height, title, rows = NONE, children }: Props) {
  const styles = useStyles2(getStyles);
  const box = useRef<HTMLDivElement>(null);

  // Its size is known once it is laid out; setting the place here, before painting, saves a second rendering.
  useLayoutEffect(() => {
    const element = box.current;
    if (element) {
      element.style.left = `${beside(x, element.offsetWidth, width)}px`;
      element.style.top = `${beside(y, element.offsetHeight, height)}px`;
    }
  }, [x, y, width, height, title, rows, children]);

  return (
    <div ref={box} className={styles.box} role="tooltip">
      <div className={styles.title}>{title}</div>
      {rows.length > 0 && (
        <dl className={styles.rows}>
          {rows.map((row) => (
            <React.Fragment key={row.label}>
              <dt className={styles.label}>
                {row.colour && <span className={styles.swatch} style={{ backgroundColor: row.colour }} />}
                {row.label}
              </dt>
              <dd className={styles.value}>{row.value}</dd>
            </React.Fragment>
          ))}
        </dl>
      )}
      {children}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  box: css({
    position: 'absolute',
    left: 0,
    top: 0,
    zIndex: theme.zIndex.tooltip,
    pointerEvents: 'none',
    width: 'max-content',
    maxWidth: 480,
    padding: theme.spacing(1),
    color: theme.colors.text.primary,
    background: theme.colors.background.secondary,
    border: `1px solid ${theme.colors.border.medium}`,
    borderRadius: theme.shape.radius.default,
    boxShadow: theme.shadows.z2,
    fontSize: theme.typography.bodySmall.fontSize,
    lineHeight: 1.5,
  }),
  title: css({ fontWeight: theme.typography.fontWeightMedium, marginBottom: theme.spacing(0.5) }),
  rows: css({ display: 'grid', gridTemplateColumns: 'auto auto', columnGap: theme.spacing(2), margin: 0 }),
  label: css({ color: theme.colors.text.secondary, fontWeight: 'normal', margin: 0 }),
  value: css({ textAlign: 'right', fontVariantNumeric: 'tabular-nums', margin: 0, overflowWrap: 'anywhere' }),
  swatch: css({ display: 'inline-block', width: 10, height: 10, borderRadius: 2, marginRight: theme.spacing(0.75) }),
});
