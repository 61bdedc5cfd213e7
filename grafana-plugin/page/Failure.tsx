// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { Alert } from '@grafana/ui';

interface Props {
  reason: string;
  refresh: string;
}

/** Why there is nothing new, and what to do. The previous content stays below it. */
export function Failure({ reason, refresh }: Props) {
  const next = refresh ? `This page tries again every ${refresh}.` : 'Then press Refresh.';
  return (
    <Alert severity="error" title={`No data: ${reason.replace(/\.$/, '')}`} bottomSpacing={0}>
      Check that Prometheus runs and that the server of this page can reach it. {next}
    </Alert>
  );
}
