/** Where a list or map begins, and in turn the key or number, the offset and the place of each of its parts. */
export interface Place {
  readonly start: number;
  readonly parts: Part[];
}

type Part = string | number | Place | undefined;

/** Offset of the key (in a list: of the item) at `path`, or of its nearest ancestor. */
export function offsetIn(root: Place, path: readonly string[]): number {
  let offset = root.start;
  let place: Place | undefined = root;
  for (const step of path) {
    if (place === undefined) return offset;
    const parts: readonly Part[] = place.parts;
    const at = typeof parts[0] === 'string' ? parts.indexOf(step) : 3 * Number(step);
    const found = parts[at + 1];
    if (at < 0 || typeof found !== 'number') return offset;
    offset = found;
    const inner = parts[at + 2];
    place = typeof inner === 'object' ? inner : undefined;
  }
  return offset;
}
