// SPDX-License-Identifier: Apache-2.0
import { T0 } from '../fixtures/clock';
import { framesOf, seriesFrame, tableFrame } from '../fixtures/frames';
import { random } from '../fixtures/random';
import { tierOf, turns } from '../fixtures/tiers';
import { readPicture } from './read';

describe('readPicture', () => {
  it('reads back what the frames were made from', () => {
    const picture = turns(200);
    expect(readPicture(framesOf(picture)).picture).toEqual(picture);
  });

  it('does not mind the order of frames and samples, nor what is sent twice', () => {
    const picture = turns(100);
    const { shuffle } = random(61);
    const again = framesOf(picture).map((frame) => {
      const order = shuffle([...Array(frame.length).keys()]);
      const fields = frame.fields.map((field) => ({ ...field, values: order.map((i) => field.values[i]) }));
      fields[1].labels = { ...fields[1].labels, job: 'other' };
      return { ...frame, fields };
    });
    expect(readPicture(shuffle([...framesOf(picture), ...again])).picture).toEqual(picture);
  });

  it('reads instant answers as tables as it reads them as series', () => {
    const picture = turns(100);
    const curve = ['own_curve_queue', 'own_curve_throughput', 'own_curve_windows'];
    const instant = ['saturation_point', 'max_throughput', ...curve, 'edges'];
    const frames = framesOf(picture);
    const tables = instant.map((refId) => {
      const rows = frames
        .filter((frame) => frame.refId === refId)
        .map(({ fields: [time, value] }) => ({ labels: value.labels!, time: time.values[0], value: value.values[0] }));
      return tableFrame(refId, rows);
    });
    const rest = frames.filter(({ refId }) => !instant.includes(refId!));
    expect(readPicture([...rest, ...tables]).picture).toEqual(picture);
  });

  it('orders tiers as requests pass them, else by name', () => {
    const picture = turns(10);
    const frames = framesOf(picture);
    const names = (of: typeof frames) => readPicture(of).picture.tiers.map(({ name }) => name);
    expect(names(frames)).toEqual(['web', 'app', 'db']);
    expect(names(frames.filter(({ refId }) => refId !== 'edges'))).toEqual(['app', 'db', 'web']);
  });

  it('gives servers of one tier names and keys of their own', () => {
    const servers = ['a', 'b'].map((instance) => tierOf([[1, 20]], { tier: 'web', instance }));
    const { tiers } = readPicture(framesOf({ ...turns(1), tiers: servers })).picture;
    expect(tiers.map(({ name }) => name)).toEqual(['web@a', 'web@b']);
    expect(new Set(tiers.map(({ key }) => key)).size).toBe(2);
  });

  it('shows a tier of which only shares are known, and none of which only limits are', () => {
    const labels = { app: 'shop', tier: 'db', instance: 'a' };
    const shares = seriesFrame('state_share', { ...labels, state: 'frozen' }, [T0], [1], 10_000);
    const limit = seriesFrame('saturation_point', { ...labels, tier: 'web' }, [T0], [8]);
    const { tiers } = readPicture([shares, limit]).picture;
    expect(tiers.map(({ name, time }) => [name, time.length])).toEqual([['db', 0]]);
  });

  it('gives an empty picture for nothing', () => {
    expect(readPicture([]).picture).toEqual({ tiers: [], step: 50 });
  });

  it('leaves the frames as they are', () => {
    const frames = framesOf(turns(20));
    const before = JSON.stringify(frames);
    readPicture(frames);
    expect(JSON.stringify(frames)).toBe(before);
  });
});
