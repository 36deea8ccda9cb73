import { readBlock } from './blocks.ts';
import { type Cursor, NotSimple, nextLine, notSimple, type Place } from './cursor.ts';

/** What a text of simple YAML says, and where. */
export interface SimpleYaml {
  readonly value: unknown;
  /** Offset of the key (in a list: of the item) at `path`, or of its nearest ancestor. */
  offsetOf(path: readonly string[]): number;
}

/**
 * What no simple text holds: control characters, breaks of lines that are none in YAML
 * 1.2, and marks of documents.
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
  try {
    const value = readFrom(text, start, undefined);
    return { value, offsetOf: offsets(text, start) };
  } catch (cause) {
    if (cause instanceof NotSimple) return undefined;
    throw cause;
  }
}

function readFrom(text: string, start: number, places: Cursor['places']): unknown {
  const cursor: Cursor = { text, at: start, column: 0, places };
  nextLine(cursor);
  const value = readBlock(cursor, 0);
  if (cursor.column !== -1) notSimple('more behind the value');
  return value;
}

/** Find offsets by path; the text is read once more for that, as hardly anybody asks. */
function offsets(text: string, start: number): SimpleYaml['offsetOf'] {
  let places: Map<object, Place> | undefined;
  let root: unknown;
  return (path) => {
    if (places === undefined) {
      places = new Map();
      root = readFrom(text, start, places);
    }
    let node = root;
    let offset = places.get(root as object)?.start ?? 0;
    for (const step of path) {
      const inner = places.get(node as object)?.inner.get(step);
      if (inner === undefined) return offset;
      offset = inner;
      node = (node as Record<string, unknown>)[step];
    }
    return offset;
  };
}
