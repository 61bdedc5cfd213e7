// SPDX-License-Identifier: Apache-2.0
import { CurvePoint } from './tier';

/** Bins of the recorded curve with fewer windows are left out: they show chance. The rules ask for as many. */
const LEAST_WINDOWS = 10;

/** The bins of a recorded curve that are drawn; if the number of windows is not known, all of them. */
export function solidBins(curve: readonly CurvePoint[]): CurvePoint[] {
  return curve.filter(({ windows }) => !(windows < LEAST_WINDOWS));
}
