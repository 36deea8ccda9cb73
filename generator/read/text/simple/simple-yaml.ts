import { readBlock } from './blocks.ts';
import { type Cursor, NotSimple, nextLine, notSimple, type Place } from './cursor.ts';

/** What a text of simple YAML says, and where. */
export interface SimpleYaml {
  readonly value: unknown;
  /** Offset of the key (in a list: of the item) at `path`, or of its nearest ancestor. */
  offsetOf(path: readonly string[]): number;
}

/**
 * What no simple text holds: control characters, breaks of lines that are none in YAML 1.2, and
 * marks of documents.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unusual = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|^(?:---|\.\.\.)/m;

/**
 * Read YAML 1.2 as nearly all descriptions write it: maps and lists in blocks, texts, and simple
 * lists and maps in one line. Anything else (anchors, tags, merges, keys that stand twice, values
 * without a form in JSON, whatever is wrong or may be) gives nothing: then the whole reader tells
 * what the text says. It takes a tenth of that one's time.
 */
export function readSimpleYaml(text: string): SimpleYaml | undefined {
  const start = text.startsWith('---\n') ? 3 : -1;
  if (unusual.test(start === 3 ? text.slice(start) : text)) return undefined;
  const cursor: Cursor = { text, at: start, column: 0, place: undefined };
  try {
    nextLine(cursor);
    const value = readBlock(cursor, 0);
    if (cursor.column !== -1) notSimple('more behind the value');
    const root = cursor.place;
    return { value, offsetOf: (path) => offsetOf(root, path) };
  } catch (cause) {
    if (cause instanceof NotSimple) return undefined;
    throw cause;
  }
}

function offsetOf(root: Place | undefined, path: readonly string[]): number {
  let offset = root?.start ?? 0;
  let place = root;
  for (const step of path) {
    if (place === undefined) return offset;
    const { parts } = place;
    const at = typeof parts[0] === 'string' ? parts.indexOf(step) : 3 * Number(step);
    const found = parts[at + 1];
    if (at < 0 || typeof found !== 'number') return offset;
    offset = found;
    const inner = parts[at + 2];
    place = typeof inner === 'object' ? inner : undefined;
  }
  return offset;
}
