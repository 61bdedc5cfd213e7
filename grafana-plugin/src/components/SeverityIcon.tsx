// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { useTheme2 } from '@grafana/ui';
import { Notice } from '../data/notice';

const SHAPES: Record<Notice['severity'], { outline: string; mark: string; name: string }> = {
  info: { outline: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z', mark: 'M8 7v4.5M8 4.2v.8', name: 'Note' },
  warning: { outline: 'M8 1.8L15 14H1z', mark: 'M8 6v4M8 11.5v.8', name: 'Warning' },
  error: { outline: 'M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5z', mark: 'M8 4v5M8 11v.8', name: 'Error' },
};

/** A sign for the severity of a notice; both its outline and its colour differ. */
export function SeverityIcon({ severity, size = 14 }: { severity: Notice['severity']; size?: number }) {
  const theme = useTheme2();
  const { outline, mark, name } = SHAPES[severity];
  return (
    <svg
      role="img"
      aria-label={name}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke={theme.colors[severity].text}
      strokeWidth={1.5}
      strokeLinejoin="round"
      strokeLinecap="round"
      style={{ flex: 'none' }}
    >
      <path d={outline} />
      <path d={mark} />
    </svg>
  );
}
