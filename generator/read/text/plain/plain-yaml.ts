import { maxDepth, type ParsedText } from '../parsed-text.ts';
import { PlainScanner } from './plain-scanner.ts';

/**
 * A node as far as its place is known: of a map its keys, of a sequence its items, of what another
 * parser has read that parser's own places.
 */
interface Place {
  readonly at: number;
  readonly value: unknown;
  readonly keys?: ReadonlyMap<string, Member>;
  readonly items?: readonly Place[];
  readonly inner?: ParsedText;
  /** What it holds at first: whoever reads the value may change it. */
  readonly steps?: ReadonlySet<string>;
}

interface Member {
  /** Where its key begins. */
  readonly at: number;
  readonly place: Place | undefined;
}

/**
 * Read YAML 1.2 as most descriptions are written: maps and sequences by indentation, one key a line.
 * Scalars of several lines and flow collections are left to `parse`, which reads all of YAML, each
 * alone: it sees the same text up to their end as it would in the whole. Nothing where anything
 * else stands in the text, from an alias to a key that is there twice: then the whole is for `parse`.
 */
export function parsePlainYaml(
  text: string,
  parse: (text: string) => ParsedText,
): ParsedText | undefined {
  const scanner = new PlainScanner(text);
  if (!scanner.isPlain()) return undefined;
  const root = new Blocks(scanner, parse).document();
  if (root === undefined) return undefined;
  return { value: root.value, problems: [], offsetOf: (path) => offsetOf(root, path) };
}

function offsetOf(root: Place, path: readonly string[]): number {
  let place: Place | undefined = root;
  let offset = root.at;
  for (const [depth, step] of path.entries()) {
    if (place?.inner) return innerOffset(place, path.slice(depth), offset);
    const found: Member | Place | undefined =
      place?.keys?.get(step) ?? place?.items?.[Number(step)];
    if (found === undefined) return offset;
    offset = found.at;
    place = 'place' in found ? found.place : found;
  }
  return offset;
}

/** Within what was read alone: places there are counted from its own beginning. */
function innerOffset({ at, inner, steps }: Place, path: readonly string[], holder: number): number {
  const [step = ''] = path;
  return inner && steps?.has(step) ? at + inner.offsetOf(path) : holder;
}

/** Reads blocks; every method gives nothing where the text is not plain. */
class Blocks {
  readonly #text: PlainScanner;
  readonly #parse: (text: string) => ParsedText;

  constructor(text: PlainScanner, parse: (text: string) => ParsedText) {
    this.#text = text;
    this.#parse = parse;
  }

  document(): Place | undefined {
    const text = this.#text;
    text.skipBlank();
    if (text.isAtEnd() || text.column() !== 0) return undefined;
    const root = this.#map(0, 0);
    return root !== undefined && text.isAtEnd() ? root : undefined;
  }

  /** The block at the place that the text is at, in the column where it begins. */
  #block(column: number, depth: number): Place | undefined {
    if (this.#text.isItem()) return this.#sequence(column, depth);
    return this.#map(column, depth);
  }

  #map(column: number, depth: number): Place | undefined {
    const text = this.#text;
    if (depth > maxDepth) return undefined;
    const at = text.at;
    const keys = new Map<string, Member>();
    const value: Record<string, unknown> = Object.create(null);
    do {
      const from = text.at;
      const key = text.key();
      if (key === undefined || keys.has(key)) return undefined;
      const place = this.#value({ column, depth, isInMap: true });
      if (place === undefined) return undefined;
      value[key] = place === nothing ? null : place.value;
      keys.set(key, { at: from, place });
    } while (this.#isNext(column) && !text.isItem());
    return text.isAtEnd() || text.column() < column ? { at, value, keys } : undefined;
  }

  #sequence(column: number, depth: number): Place | undefined {
    const text = this.#text;
    if (depth > maxDepth) return undefined;
    const at = text.at;
    const items: Place[] = [];
    do {
      text.item();
      const place = this.#value({ column, depth, isInMap: false });
      // Where an item stands that is nothing at all, only the whole tells.
      if (place === undefined || place === nothing) return undefined;
      items.push(place);
    } while (this.#isNext(column) && text.isItem());
    const isOver = text.isAtEnd() || text.column() <= column;
    return isOver ? { at, value: items.map(({ value }) => value), items } : undefined;
  }

  #isNext(column: number): boolean {
    return !this.#text.isAtEnd() && this.#text.column() === column;
  }

  /** What stands behind a key or the mark of an item, which stand in this column. */
  #value({ column, depth, isInMap }: Holder): Place | undefined {
    const text = this.#text;
    if (text.isLineDone()) {
      text.skipBlank();
      const own = text.isAtEnd() ? -1 : text.column();
      const isIndentless = isInMap && own === column && text.isItem();
      if (own <= column && !isIndentless) return nothing;
      return isIndentless || text.isItem() || text.isKey()
        ? this.#block(own, depth + 1)
        : undefined;
    }
    // A map or a sequence may begin in the line of its item, never in that of its key.
    if (!isInMap && (text.isItem() || text.isKey())) return this.#block(text.column(), depth + 1);
    return this.#scalar(column);
  }

  #scalar(column: number): Place | undefined {
    const at = this.#text.at;
    const short = this.#text.shortScalar(column);
    if (short !== undefined) return { at, value: short.value };
    const own = this.#text.longNode(column);
    if (own === undefined) return undefined;
    const inner = this.#parse(own);
    const { value, problems } = inner;
    // Behind a key, no map and no sequence begins but one in brackets.
    const isBlock = typeof value === 'object' && value !== null && !/^[[{]/.test(own);
    if (problems.length > 0 || isBlock) return undefined;
    const isHolder = typeof value === 'object' && value !== null;
    return { at, value, inner, ...(isHolder && { steps: new Set(Object.keys(value)) }) };
  }
}

interface Holder {
  readonly column: number;
  readonly depth: number;
  readonly isInMap: boolean;
}

/** Stands for a node that is not there: its value is null. */
const nothing: Place = { at: 0, value: null };
