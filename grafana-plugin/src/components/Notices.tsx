// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Tooltip, useStyles2 } from '@grafana/ui';
import { Notice } from '../data/notice';
import { SeverityIcon } from './SeverityIcon';

/** Height of the line, CSS pixels. */
export const NOTICE_HEIGHT = 22;

const GRAVITY: Record<Notice['severity'], number> = { error: 2, warning: 1, info: 0 };

/** The gravest first, otherwise in the order in which they came. */
export function byGravity(notices: readonly Notice[]): Notice[] {
  return [...notices].sort((a, b) => GRAVITY[b.severity] - GRAVITY[a.severity]);
}

/** The gravest notice in a line; all of them, in full, at the pointer and on focus. */
export function Notices({ notices }: { notices: readonly Notice[] }) {
  const styles = useStyles2(getStyles);
  const [first, ...others] = byGravity(notices);
  if (!first) {
    return null;
  }
  return (
    <div className={styles.line} role="status">
      <Tooltip content={<All notices={[first, ...others]} />} placement="bottom-start">
        <button type="button" className={styles.button}>
          <SeverityIcon severity={first.severity} />
          <span className={styles.text}>{first.text}</span>
          {others.length > 0 && <span className={styles.more}>{others.length} more</span>}
        </button>
      </Tooltip>
    </div>
  );
}

function All({ notices }: { notices: readonly Notice[] }) {
  const styles = useStyles2(getStyles);
  return (
    <ul className={styles.list}>
      {notices.map(({ severity, text }) => (
        <li key={text} className={styles.item}>
          <SeverityIcon severity={severity} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  line: css({ height: NOTICE_HEIGHT, fontSize: theme.typography.bodySmall.fontSize }),
  button: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(0.75),
    maxWidth: '100%',
    padding: 0,
    border: 'none',
    borderRadius: theme.shape.radius.default,
    background: 'none',
    color: theme.colors.text.secondary,
    font: 'inherit',
    cursor: 'default',
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: 2 },
  }),
  text: css({ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }),
  more: css({ flex: 'none', textDecoration: 'underline' }),
  list: css({ listStyle: 'none', margin: 0, padding: 0 }),
  item: css({ display: 'flex', gap: theme.spacing(0.75), alignItems: 'flex-start', padding: theme.spacing(0.25, 0) }),
});
