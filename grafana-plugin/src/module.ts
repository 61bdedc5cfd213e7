// SPDX-License-Identifier: Apache-2.0
import { PanelPlugin } from '@grafana/data';
import { Options } from './types';

export const plugin = new PanelPlugin<Options>(() => null);
