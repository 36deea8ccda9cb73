/** A place in a text: 1-based line and column, columns counted in UTF-16 code units. */
export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** Make a function that turns offsets into `text` to lines and columns; it reads the text on first use. */
export function linePositions(text: string): (offset: number) => LinePosition {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    const index = lastAtOrBefore(starts, offset);
    return { line: index + 1, column: offset - (starts[index] ?? 0) + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1);
  }
  return starts;
}

/** Index of the last of some ascending numbers that is not greater than `offset`. */
export function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
