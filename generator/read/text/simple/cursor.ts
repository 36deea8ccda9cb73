/** Where a reading of simple YAML stands, and where what it has read began. */
export interface Cursor {
  readonly text: string;
  /** Next character; behind `nextLine` the first one of a line that says something. */
  at: number;
  /** Spaces before it in its line; -1 at the end of the text. */
  column: number;
  /** The place of the list or map that was read last; nothing behind another value. */
  place: Place | undefined;
}

/** Where a list or map begins, and in turn the key or number, the offset and the place of each of its parts. */
export interface Place {
  readonly start: number;
  readonly parts: (string | number | Place | undefined)[];
}

/** Thrown where a text holds what only the whole reader understands, or refuses. */
export class NotSimple extends Error {}

/** Nesting, and the length of a key, beyond which the whole reader looks whether it is too much. */
export const simpleDepth = 100;
export const simpleKeyLength = 500;

export const space = 0x20;
export const tab = 0x09;
export const lineFeed = 0x0a;
export const hash = 0x23;
export const dash = 0x2d;

export function notSimple(reason: string): never {
  throw new NotSimple(reason);
}

/** The offset of the line break that ends the line at `at`, or of the end of the text. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Go from the end of a line to what the next one says that is neither empty nor a comment. */
export function nextLine(cursor: Cursor): void {
  const { text } = cursor;
  let at = cursor.at;
  while (at < text.length) {
    const start = at + 1;
    at = skipSpaces(text, start);
    const code = text.charCodeAt(at);
    if (code === hash) at = endOfLine(text, at);
    else if (code !== lineFeed && at < text.length) {
      cursor.at = at;
      cursor.column = at - start;
      return;
    }
  }
  cursor.at = text.length;
  cursor.column = -1;
}

/** Go on behind a value that ends within a line, where nothing but a comment follows it there. */
export function endLine(cursor: Cursor): void {
  const { text, at } = cursor;
  const next = skipSpaces(text, at);
  const code = text.charCodeAt(next);
  if (code === hash && next > at) cursor.at = endOfLine(text, next);
  else if (code === lineFeed || next === text.length) cursor.at = next;
  else notSimple('more behind a value');
  nextLine(cursor);
}

/** The offset of the first character from `at` on that is no space. */
export function skipSpaces(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) === space) next++;
  return next;
}
