// SPDX-License-Identifier: Apache-2.0
import { rangeOf, turns } from '../fixtures/tiers';
import { sceneOf } from '../fixtures/scene';
import { LanePreparer } from './statesScene';

const PICTURE = turns(200);
const { from, to } = rangeOf(200);
const SCENE = sceneOf(PICTURE, from, to);

describe('LanePreparer', () => {
  it('prepares every lane with its own scale', () => {
    const [web, app, db] = new LanePreparer().prepare(SCENE, 100);
    expect(web.columns.queueMean).toHaveLength(100);
    expect(app.queueTop).toBeGreaterThanOrEqual(Math.max(...app.tier.queue));
    expect(app.queueTop).toBeGreaterThan(db.queueTop);
    expect(app.columns.gcMean).not.toBeNull();
    expect(db.columns.gcMean).toBeNull();
  });

  it('keeps the columns while scrolling, or when a lane goes', () => {
    const preparer = new LanePreparer();
    const [web, , db] = preparer.prepare(SCENE, 100);
    const scrolled = preparer.prepare({ ...SCENE, scroll: 20 }, 100);
    expect(scrolled[0].columns).toBe(web.columns);
    const fewer = preparer.prepare({ ...SCENE, lanes: SCENE.lanes.slice(2) }, 100);
    expect(fewer[0].columns).toBe(db.columns);
  });

  it('makes new columns for another range, size or tier', () => {
    const preparer = new LanePreparer();
    const [{ columns }] = preparer.prepare(SCENE, 100);
    expect(preparer.prepare({ ...SCENE, to: to + 50 }, 100)[0].columns).not.toBe(columns);
    expect(preparer.prepare(SCENE, 101)[0].columns).not.toBe(columns);
    const [first] = SCENE.lanes;
    const lanes = [{ ...first, tier: { ...first.tier } }];
    expect(preparer.prepare({ ...SCENE, lanes }, 101)[0].columns).not.toBe(columns);
  });
});
