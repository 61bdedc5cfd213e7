// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { ViewProps } from './view';

/** A time line per tier of idle, normal, saturated and frozen. */
export function StatesView({ width, height }: ViewProps) {
  return <div style={{ width, height }} />;
}
