// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useState } from 'react';
import { Address, readAddress, writeAddress } from './address';

/** The page's state and how to change it; each change can be taken back with the browser's own button. */
export function useAddress(): [Address, (change: Partial<Address>) => void] {
  const [address, setAddress] = useState(() => readAddress(window.location.search));

  useEffect(() => {
    const onBack = () => setAddress(readAddress(window.location.search));
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, []);

  const change = useCallback((part: Partial<Address>) => {
    const next = { ...readAddress(window.location.search), ...part };
    window.history.pushState(null, '', window.location.pathname + writeAddress(next));
    setAddress(next);
  }, []);

  return [address, change];
}
