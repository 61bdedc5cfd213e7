// SPDX-License-Identifier: Apache-2.0
import { useSyncExternalStore } from 'react';

type Mode = 'dark' | 'light';

const prefersLight = window.matchMedia('(prefers-color-scheme: light)');

function subscribe(onChange: () => void) {
  prefersLight.addEventListener('change', onChange);
  return () => prefersLight.removeEventListener('change', onChange);
}

/** Dark or light: as chosen, otherwise as the system. */
export function useMode(chosen?: Mode): Mode {
  const system = useSyncExternalStore<Mode>(subscribe, () => (prefersLight.matches ? 'light' : 'dark'));
  return chosen ?? system;
}
