// SPDX-License-Identifier: Apache-2.0

/** Marks per decade, from many to few. */
const FACTORS = [[1, 2, 5], [1, 5], [1]];

/**
 * The places of the marks of a logarithmic queue axis: 0, 1, 2, 5, 10, ..., fewer if they would be too close
 * together. The axis is an inverse hyperbolic sine: linear near 0, logarithmic beyond 1.
 *
 * @param max end of the axis, requests
 * @param length of the axis, pixels
 * @param space least distance of two marks, pixels
 */
export function queueMarks(max: number, length: number, space: number): number[] {
  const least = (space / length) * Math.asinh(max);
  // marks below 1 would be too close at 0, unless there is hardly anything else
  const lowest = max >= 5 ? 1 : max / 6;
  const choices = FACTORS.map((factors) => {
    const marks = [0];
    for (let power = Math.floor(Math.log10(lowest)); 10 ** power <= max; power++) {
      // dividing keeps 0.2 from becoming 0.2000...01
      const scaled = factors.map((factor) => (power < 0 ? factor / 10 ** -power : factor * 10 ** power));
      marks.push(...scaled.filter((mark) => mark >= lowest && mark <= max));
    }
    return marks;
  });
  // a short axis gets the powers of ten that fit, a very short one anything that does
  const few = [...choices].reverse().map((marks) => thin(marks, least));
  return choices.find((marks) => apart(marks, least)) ?? few.find((marks) => marks.length > 1) ?? [0];
}

const distance = (left: number, right: number) => Math.asinh(right) - Math.asinh(left);

function apart(marks: number[], least: number): boolean {
  return marks.every((mark, i) => i === 0 || distance(marks[i - 1], mark) >= least);
}

/** Leaves marks out from the left until those that remain are far enough apart. */
function thin(marks: number[], least: number): number[] {
  const kept = [marks[0]];
  for (const mark of marks.slice(1)) {
    if (distance(kept[kept.length - 1], mark) >= least) {
      kept.push(mark);
    }
  }
  return kept;
}
