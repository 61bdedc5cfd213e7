// SPDX-License-Identifier: Apache-2.0
import { FakePath, recorder } from '../fixtures/context';
import { sequenceOf } from '../fixtures/sequence';
import { Point, tierOf } from '../fixtures/tiers';
import { Scatter } from './scatter';
import { SequencePlot } from './sequencePlot';
import { SequenceScene } from './sequenceScene';

const LIMITS = { nStar: 8, tpMax: 500 };
const EXTENT = { queue: 50, throughput: 600 };
const POINTS: Point[] = [
  [4, 100],
  [20, 480],
  [40, 0],
];
const TIER = tierOf(POINTS, LIMITS);

let root: HTMLElement;
let live: SequencePlot | null = null;

beforeAll(() => {
  global.Path2D = FakePath as unknown as typeof Path2D;
  global.ImageData = class {} as unknown as typeof ImageData;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement) {
    return Object.assign(recorder().context, { canvas: this });
  } as unknown as typeof HTMLCanvasElement.prototype.getContext;
});

beforeEach(() => {
  root = document.createElement('div');
  document.body.append(root);
});

afterEach(() => {
  live?.destroy();
  live = null;
  root.remove();
});

/** uPlot puts its drawing off for a moment. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

async function plotOf(scene: SequenceScene) {
  const events = { onHover: jest.fn(), onBrush: jest.fn(), onClear: jest.fn() };
  live = new SequencePlot(root, scene, events);
  await settled();
  return { plot: live, events, ...pointer() };
}

/** The plotting area, which jsdom puts at 0, 0, and the mouse over it. */
function pointer() {
  const over = root.querySelector<HTMLElement>('.u-over')!;
  const [width, height] = [parseFloat(over.style.width), parseFloat(over.style.height)];
  const box = { left: 0, top: 0, right: width, bottom: height, width, height };
  over.getBoundingClientRect = () => box as DOMRect;
  const mouse = (type: string, x: number, y: number, target: EventTarget = over) =>
    target.dispatchEvent(new MouseEvent(type, { clientX: x, clientY: y, bubbles: true }));
  const placeOf = ([queue, throughput]: readonly [number, number]): [number, number] => [
    (queue / EXTENT.queue) * width,
    (1 - throughput / EXTENT.throughput) * height,
  ];
  return { over, width, height, mouse, placeOf };
}

describe('SequencePlot', () => {
  it('says in words what it shows', async () => {
    const { plot } = await plotOf(sequenceOf([TIER]));
    const canvas = root.querySelector('canvas')!;
    expect(canvas.getAttribute('role')).toBe('img');
    expect(canvas.getAttribute('aria-label')).toBe('a picture');
    plot.update(sequenceOf([TIER], { description: 'another picture' }));
    expect(canvas.getAttribute('aria-label')).toBe('another picture');
  });

  it('shows new data in the same uPlot, with axes that fit', async () => {
    const { plot, over } = await plotOf(sequenceOf([TIER]));
    expect(plot.extent).toEqual(EXTENT);
    plot.update(sequenceOf([tierOf([[200, 900]], LIMITS)]));
    expect(plot.extent).toEqual({ queue: 250, throughput: 1000 });
    expect(root.querySelector('.u-over')).toBe(over);
  });

  it('has axes that fit the curve only while it is shown', async () => {
    const curve = [{ queue: 400, throughput: 3, windows: 20 }];
    const tiers = sequenceOf([tierOf(POINTS, { ...LIMITS, curve })]);
    const { plot } = await plotOf({ ...tiers, showCurve: false });
    expect(plot.extent).toEqual(EXTENT);
    plot.update(tiers);
    expect(plot.extent).toEqual({ ...EXTENT, queue: 500 });
    plot.update({ ...tiers, showCurve: false });
    expect(plot.extent).toEqual(EXTENT);
  });

  it('takes a new uPlot for another kind of axis, and leaves nothing of the old one', async () => {
    const { plot, over } = await plotOf(sequenceOf([TIER]));
    plot.update(sequenceOf([TIER], { log: true }));
    await settled();
    expect(root.querySelectorAll('.uplot')).toHaveLength(1);
    expect(root.querySelector('.u-over')).not.toBe(over);
  });

  it('is gone once destroyed', async () => {
    const { plot } = await plotOf(sequenceOf([TIER]));
    plot.destroy();
    live = null;
    expect(root.children).toHaveLength(0);
  });

  it('follows another size', async () => {
    const { plot, over } = await plotOf(sequenceOf([TIER]));
    const before = parseFloat(over.style.width);
    plot.update(sequenceOf([TIER], { width: 700 }));
    expect(parseFloat(over.style.width)).toBe(before + 100);
  });
});

describe('the pointer', () => {
  it('tells which window it is at, once, and when it leaves', async () => {
    const { events, mouse, placeOf } = await plotOf(sequenceOf([TIER]));
    const [x, y] = placeOf([20, 480]);
    mouse('mousemove', x + 3, y + 3);
    mouse('mousemove', x + 2, y + 3);
    expect(events.onHover).toHaveBeenCalledTimes(1);
    expect(events.onHover.mock.calls[0][0].hit).toEqual({ tier: 0, index: 1 });
    mouse('mouseleave', 0, 0);
    expect(events.onHover).toHaveBeenLastCalledWith(null);
  });

  it('does not make the points be drawn again', async () => {
    const { plot, mouse, placeOf } = await plotOf(sequenceOf([TIER]));
    const paint = jest.spyOn(Scatter.prototype, 'draw');
    mouse('mousemove', ...placeOf([20, 480]));
    plot.mark([{ tier: 0, index: 1 }]);
    plot.mark([]);
    expect(paint).not.toHaveBeenCalled();
    paint.mockRestore();
  });

  it('is told of the window that comes under it with a refresh', async () => {
    const { plot, events, mouse, placeOf } = await plotOf(sequenceOf([TIER]));
    mouse('mousemove', ...placeOf([20, 480]));
    plot.update(sequenceOf([tierOf([...POINTS, [20, 480]], LIMITS)]));
    expect(events.onHover.mock.lastCall[0].hit).toEqual({ tier: 0, index: 3 });
    plot.update(sequenceOf([tierOf([POINTS[2]], LIMITS)]));
    expect(events.onHover).toHaveBeenLastCalledWith(null);
  });

  it('clears by a double click', async () => {
    const { events, mouse } = await plotOf(sequenceOf([TIER]));
    mouse('dblclick', 10, 10);
    expect(events.onClear).toHaveBeenCalledTimes(1);
  });
});

describe('the brush', () => {
  it('picks the windows in its rectangle', async () => {
    const { events, mouse, placeOf } = await plotOf(sequenceOf([TIER]));
    const [x, y] = placeOf([20, 480]);
    mouse('mousedown', x - 30, y - 20);
    mouse('mousemove', x + 30, y + 20);
    mouse('mouseup', x + 30, y + 20);
    expect(events.onBrush).toHaveBeenCalledTimes(1);
    expect([...events.onBrush.mock.calls[0][0][0]]).toEqual([0, 1, 0]);
  });

  it('reaches the windows on the axis when the pointer goes beyond it', async () => {
    const { events, mouse, placeOf, height } = await plotOf(sequenceOf([TIER]));
    const [x] = placeOf([40, 0]);
    mouse('mousedown', x - 30, height - 60);
    mouse('mousemove', x, height - 50);
    mouse('mouseleave', x, height + 10);
    mouse('mousemove', x + 30, height + 40, document.body);
    mouse('mouseup', x + 30, height + 40, document.body);
    expect([...events.onBrush.mock.calls[0][0][0]]).toEqual([0, 0, 1]);
  });

  it('leaves nothing behind on the document', async () => {
    const { plot, mouse } = await plotOf(sequenceOf([TIER]));
    const added = jest.spyOn(document, 'addEventListener');
    const removed = jest.spyOn(document, 'removeEventListener');
    mouse('mousedown', 10, 10);
    plot.destroy();
    live = null;
    const moves = (spy: jest.SpyInstance) => spy.mock.calls.filter(([type]) => type === 'mousemove').map(([, f]) => f);
    expect(moves(added)).toHaveLength(1);
    expect(moves(removed)).toEqual(expect.arrayContaining(moves(added)));
    added.mockRestore();
    removed.mockRestore();
  });

  it('shows nothing at the pointer while it is drawn', async () => {
    const { events, mouse, placeOf } = await plotOf(sequenceOf([TIER]));
    const [x, y] = placeOf([20, 480]);
    mouse('mousedown', x - 60, y - 10);
    mouse('mousemove', x, y + 10);
    expect(events.onHover).not.toHaveBeenCalled();
    mouse('mouseup', x, y + 10);
  });

  it.each([
    [6, 0],
    [0, 6],
    [6, 1],
  ])('lets the pointer go when it was drawn by %d, %d', async (across, down) => {
    const { events, mouse, placeOf } = await plotOf(sequenceOf([TIER]));
    const [x, y] = placeOf([20, 480]);
    mouse('mousedown', x - 3, y);
    mouse('mousemove', x - 3 + across, y + down);
    mouse('mouseup', x - 3 + across, y + down);
    mouse('mousemove', x, y);
    expect(events.onHover.mock.lastCall?.[0].hit).toEqual({ tier: 0, index: 1 });
  });

  it.each([
    ['sideways', [10, 0]],
    ['upwards', [0, 10]],
  ])('picks the windows that it is drawn straight across, %s', async (_, [across, down]) => {
    const { events, mouse, placeOf } = await plotOf(sequenceOf([TIER]));
    const [x, y] = placeOf([20, 480]).map(Math.round);
    mouse('mousedown', x - across, y + down);
    mouse('mousemove', x + across, y - down);
    mouse('mouseup', x + across, y - down);
    expect([...events.onBrush.mock.calls[0][0][0]]).toEqual([0, 1, 0]);
  });
});
