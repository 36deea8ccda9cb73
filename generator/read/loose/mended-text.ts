import type { TextProblem } from '../text/parsed-text.ts';

/** A text that was changed so that it can be read as it is meant. */
export interface MendedText {
  readonly text: string;
  /** Where that was necessary, in the text as it is written. */
  readonly offsets: readonly number[];
  /** The place in the text as it is written of one in this text. */
  written(offset: number): number;
}

/** From where on in a changed text all stands further right than it is written, and how far. */
export interface Shift {
  readonly at: number;
  readonly by: number;
}

/** What finds the place in the text as it is written; `shifts` in the order of the text. */
export function placesBefore(shifts: readonly Shift[]): MendedText['written'] {
  return (offset) => offset - shiftAt(shifts, offset);
}

function shiftAt(shifts: readonly Shift[], offset: number): number {
  let low = 0;
  let high = shifts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shifts[middle]?.at ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return shifts[low - 1]?.by ?? 0;
}

/** Say once what was mended, at the first of its places. */
export function toldOf(what: string, offsets: readonly number[]): TextProblem {
  const others = offsets.length === 1 ? '' : ` (and of ${offsets.length - 1} more)`;
  const message = `${what}${others}`;
  return { code: 'SPEC002', severity: 'warning', offset: Math.min(...offsets), path: [], message };
}
