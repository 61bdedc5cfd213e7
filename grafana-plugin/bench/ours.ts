// SPDX-License-Identifier: Apache-2.0
import { tierColour } from '../src/draw/colour';
import { SequencePlot } from '../src/draw/sequencePlot';
import { SequenceScene } from '../src/draw/sequenceScene';
import { Picture } from '../src/model/tier';
import { Way } from './way';

const THEME = {
  isDark: true,
  background: '#181b1f',
  text: '#ccccdc',
  faintText: '#9d9da8',
  grid: 'rgba(204,204,220,0.12)',
  fontFamily: 'sans-serif',
};

function sceneOf({ tiers }: Picture, width: number, height: number): SequenceScene {
  return {
    ...{ width, height, log: false, showCurve: true, selected: null, theme: THEME, description: 'benchmark' },
    queueKind: 'own',
    numberFormat: String,
    tiers: tiers.map((tier, i) => ({
      tier,
      colour: tierColour(i, THEME),
      nStarLabel: `${tier.name} N* ${tier.nStar}`,
      tpMaxLabel: `${tier.name} TPmax ${tier.tpMax}/s`,
      frozenLabel: `${tier.name} frozen`,
    })),
  };
}

const EVENTS = { onHover: () => {}, onBrush: () => {}, onClear: () => {} };

/** Our plot, everything on: points, frozen markers, curves, lines, labels. */
export const ours: Way = {
  name: 'ours',
  start(root, picture, width, height) {
    const plot = new SequencePlot(root, sceneOf(picture, width, height), EVENTS);
    return {
      canvas: () => root.querySelector('canvas')!,
      update: (next) => plot.update(sceneOf(next, width, height)),
      destroy: () => plot.destroy(),
    };
  },
};
