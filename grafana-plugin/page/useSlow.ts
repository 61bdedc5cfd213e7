// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'react';

/** Whether something has been going on for longer than `patience` ms: shorter activity need not be shown. */
export function useSlow(going: boolean, patience = 700): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!going) {
      return undefined;
    }
    const timer = setTimeout(() => setSlow(true), patience);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [going, patience]);
  return slow;
}
