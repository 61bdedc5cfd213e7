// SPDX-License-Identifier: Apache-2.0
import React from 'react';
import { createRoot } from 'react-dom/client';
import './page.css';
import { Dashboard, readDashboard } from '../host/dashboard';
import { loadPlugin } from '../host/plugin';
import { Prometheus } from '../host/prometheus';
import { provided } from '../host/provided';
import { readAddress } from './address';
import { App } from './App';
import { serverOf } from './server';

const DASHBOARD = 'bottlenecks.json';
const PLUGIN = 'plugin/module.js';

async function fetchDashboard(): Promise<Dashboard> {
  const response = await fetch(DASHBOARD);
  if (!response.ok) {
    throw new Error(`${DASHBOARD} is not beside this page (${response.status}): build it again with \`make page\``);
  }
  return readDashboard(await response.json());
}

async function start(place: HTMLElement) {
  const server = new Prometheus(serverOf(window.location.href, readAddress(window.location.search).prometheus));
  const [plugin, dashboard] = await Promise.all([loadPlugin(PLUGIN, provided), fetchDashboard()]);
  createRoot(place).render(<App server={server} plugin={plugin} dashboard={dashboard} />);
}

const place = document.getElementById('page')!;
start(place).catch((error: Error) => {
  const line = document.createElement('p');
  line.className = 'waiting';
  line.role = 'alert';
  line.textContent = `This page cannot start: ${error.message}.`;
  place.replaceChildren(line);
});
