// SPDX-License-Identifier: Apache-2.0

/** A stretch of time to point out, ms. */
export interface Span {
  from: number;
  to: number;
}

/** Left edge and width, CSS pixels. */
export interface Box {
  left: number;
  width: number;
}

/** Narrower ones would not be seen. */
const LEAST = 3;

/** The places of spans in a plot of that width; spans out of range are left out, spans that touch become one. */
export function spanBoxes(spans: readonly Span[], from: number, to: number, width: number): Box[] {
  const scale = width / (to - from);
  const boxes: Box[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    if (span.to < from || span.from > to) {
      continue;
    }
    const start = (Math.max(span.from, from) - from) * scale;
    const end = (Math.min(span.to, to) - from) * scale;
    const spare = Math.max(0, LEAST - (end - start)) / 2;
    const left = Math.max(0, Math.min(start - spare, width - LEAST));
    const right = Math.min(width, Math.max(end + spare, left + LEAST));
    const last = boxes.at(-1);
    if (last && left <= last.left + last.width) {
      last.width = Math.max(last.width, right - last.left);
    } else {
      boxes.push({ left, width: right - left });
    }
  }
  return boxes;
}
