// SPDX-License-Identifier: Apache-2.0
import { pixel } from './raster';

/** A small picture that is put at many places: the pixels it covers, relative to its centre, and their colours. */
export interface Stamp {
  /** Where the pixels are, as distances in a raster of a certain width. */
  offset: Int32Array;
  /** Their colours, as the raster's pixels hold them. */
  colour: Uint32Array;
  /** How many of them, the first ones, are opaque: there is nothing to blend. */
  opaque: number;
}

export type Rgb = [number, number, number];

/** Places per pixel and direction at which a shape is tried; their share in the shape smooths its edge. */
const TRIES = 3;

/** Where each colour of a shape applies: the first layer that contains a place wins. */
interface Layer {
  contains(x: number, y: number): boolean;
  rgb: Rgb;
}

/** A filled circle. */
export function disc(radius: number, rgb: Rgb, opacity: number, stride: number): Stamp {
  return stampOf([{ contains: (x, y) => x * x + y * y <= radius * radius, rgb }], radius, opacity, stride);
}

/** The pixels of a small circle without smooth edges, as distances from its centre in a raster of a certain width. */
export function dot(radius: number, stride: number): Int32Array {
  const reach = Math.floor(radius);
  const offset: number[] = [];
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      if (x * x + y * y <= radius * radius) {
        offset.push(y * stride + x);
      }
    }
  }
  return Int32Array.from(offset);
}

/**
 * A diamond with a ring around a core and a halo around both. Its shape distinguishes it from the discs even if
 * colours cannot be distinguished; the halo separates it from the background.
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
  const found: Array<{ offset: number; colour: number }> = [];
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const { covered, rgb } = sample(layers, x, y);
      if (covered > 0) {
        found.push({ offset: y * stride + x, colour: pixel(...rgb, covered * opacity) });
      }
    }
  }
  const isOpaque = ({ colour }: { colour: number }) => colour >>> 24 === 255;
  const opaque = found.filter(isOpaque);
  const sorted = [...opaque, ...found.filter((one) => !isOpaque(one))];
  return {
    offset: Int32Array.from(sorted, ({ offset }) => offset),
    colour: Uint32Array.from(sorted, ({ colour }) => colour),
    opaque: opaque.length,
  };
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
export function put({ offset, colour, opaque }: Stamp, pixels: Uint32Array, centre: number) {
  for (let i = 0; i < opaque; i++) {
    pixels[centre + offset[i]] = colour[i];
  }
  for (let i = opaque; i < offset.length; i++) {
    const at = centre + offset[i];
    pixels[at] = blend(colour[i], pixels[at]);
  }
}

/** One translucent pixel over another. Bytes are red, green, blue, opacity, from the lowest, as in image data. */
function blend(over: number, under: number): number {
  if (under >>> 24 === 0) {
    return over;
  }
  const front = over >>> 24;
  const back = ((under >>> 24) * (255 - front)) / 255;
  const opacity = front + back;
  const mix = (shift: number) => 0.5 + (((over >>> shift) & 255) * front + ((under >>> shift) & 255) * back) / opacity;
  return (((opacity + 0.5) << 24) | (mix(16) << 16) | (mix(8) << 8) | mix(0)) >>> 0;
}
