// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import ReactDOM from 'react-dom';
import * as emotionCss from '@emotion/css';
import * as data from 'asked:@grafana/data';
import * as ui from 'asked:@grafana/ui';
import { Modules } from './amd';
import { runtime } from './runtime';

/**
 * What Grafana hands to plugins, as far as ours asks for it. They must be the very modules that the page uses itself:
 * a second React or a second theme context would not work.
 */
export const provided: Modules = {
  '@emotion/css': emotionCss,
  '@grafana/data': data,
  '@grafana/runtime': runtime,
  '@grafana/ui': ui,
  react: React,
  'react-dom': ReactDOM,
};
