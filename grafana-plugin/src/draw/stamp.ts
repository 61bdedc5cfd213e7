// SPDX-License-Identifier: Apache-2.0
import { pixel } from './raster';

/** A small picture that is put at many places: the pixels it covers, relative to its centre, and their colours. */
export interface Stamp {
  /** Where the pixels are, as distances in a raster of a certain width. */
  offset: Int32Array;
  /** Their colours, as the raster's pixels hold them. */
  colour: Uint32Array;
  /** How far it reaches from its centre. */
  reach: number;
}

type Rgb = [number, number, number];

/** Places per pixel and direction at which a shape is tried; their share in the shape smooths its edge. */
const TRIES = 4;

/** Where each colour of a shape applies: the first layer that contains a place wins. */
interface Layer {
  contains(x: number, y: number): boolean;
  rgb: Rgb;
}

/** A filled circle. */
export function disc(radius: number, rgb: Rgb, opacity: number, stride: number): Stamp {
  return stampOf([{ contains: (x, y) => x * x + y * y <= radius * radius, rgb }], radius, opacity, stride);
}

/**
 * A diamond with a ring around a core and a halo around both. Its shape tells it from the discs even where colours cannot
 * be told apart; the halo tells it from what it is drawn on.
 */
export function diamond(
  radius: number,
  colours: { core: Rgb; ring: Rgb; halo: Rgb },
  opacity: number,
  stride: number
): Stamp {
  const within = (size: number) => (x: number, y: number) => Math.abs(x) + Math.abs(y) <= size;
  return stampOf(
    [
      { contains: within(radius * 0.5), rgb: colours.core },
      { contains: within(radius), rgb: colours.ring },
      { contains: within(radius * 1.25), rgb: colours.halo },
    ],
    radius * 1.25,
    opacity,
    stride
  );
}

function stampOf(layers: Layer[], radius: number, opacity: number, stride: number): Stamp {
  const reach = Math.ceil(radius);
  const offset: number[] = [];
  const colour: number[] = [];
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const { covered, rgb } = sample(layers, x, y);
      if (covered > 0) {
        offset.push(y * stride + x);
        colour.push(pixel(...rgb, covered * opacity));
      }
    }
  }
  return { offset: Int32Array.from(offset), colour: Uint32Array.from(colour), reach };
}

/** How much of a pixel the layers cover, and the mean of their colours there. */
function sample(layers: Layer[], x: number, y: number): { covered: number; rgb: Rgb } {
  const sum: Rgb = [0, 0, 0];
  let hits = 0;
  for (let i = 0; i < TRIES * TRIES; i++) {
    const dx = x + ((i % TRIES) + 0.5) / TRIES - 0.5;
    const dy = y + (Math.floor(i / TRIES) + 0.5) / TRIES - 0.5;
    const layer = layers.find(({ contains }) => contains(dx, dy));
    if (layer) {
      hits++;
      layer.rgb.forEach((value, channel) => (sum[channel] += value));
    }
  }
  return { covered: hits / (TRIES * TRIES), rgb: sum.map((value) => value / Math.max(hits, 1)) as Rgb };
}

/** Puts a stamp onto pixels, with its centre at the given one; it must not reach over the raster's edge. */
export function put(stamp: Stamp, pixels: Uint32Array, centre: number) {
  const { offset, colour } = stamp;
  for (let i = 0; i < offset.length; i++) {
    const at = centre + offset[i];
    const over = colour[i];
    const under = pixels[at];
    pixels[at] = over >>> 24 === 255 || under >>> 24 === 0 ? over : blend(over, under);
  }
}

/** One translucent pixel over another. Bytes are red, green, blue, opacity, from the lowest, as in image data. */
function blend(over: number, under: number): number {
  const front = over >>> 24;
  const back = ((under >>> 24) * (255 - front)) / 255;
  const opacity = front + back;
  const mix = (shift: number) => (((over >>> shift) & 255) * front + ((under >>> shift) & 255) * back) / opacity;
  return ((opacity << 24) | (mix(16) << 16) | (mix(8) << 8) | mix(0)) >>> 0;
}
