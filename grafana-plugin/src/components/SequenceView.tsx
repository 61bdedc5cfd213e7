// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { ViewProps } from './view';

/** Throughput against queue length, a point per window. */
export function SequenceView({ width, height }: ViewProps) {
  return <div style={{ width, height }} />;
}
