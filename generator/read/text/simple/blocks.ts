import { blockText } from './block-text.ts';
import {
  type Cursor,
  dash,
  endLine,
  endOfLine,
  hash,
  lineFeed,
  nextLine,
  notSimple,
  type Place,
  simpleDepth,
  simpleKeyLength,
  skipSpaces,
  space,
  tab,
} from './cursor.ts';
import { readFlow } from './flow.ts';
import {
  endOfQuoted,
  isQuote,
  plainText,
  quotedText,
  startsPlain,
  withoutSpaces,
} from './line-texts.ts';

const quote = 0x22;
const apostrophe = 0x27;
const colon = 0x3a;

/** Read the map or list whose first line the cursor stands at. */
export function readBlock(cursor: Cursor, depth: number): unknown {
  if (depth > simpleDepth) notSimple('deep');
  return atDash(cursor) ? readList(cursor, depth) : readMap(cursor, depth);
}

function readMap(cursor: Cursor, depth: number): Record<string, unknown> {
  const { column } = cursor;
  const map: Record<string, unknown> = Object.create(null);
  const place: Place = { start: cursor.at, parts: [] };
  do {
    const start = cursor.at;
    const name = readKey(cursor);
    if (name in map || name === '<<') notSimple('key');
    cursor.place = undefined;
    map[name] = readMember(cursor, column, depth);
    place.parts.push(name, start, cursor.place);
  } while (cursor.column === column);
  if (cursor.column > column) notSimple('indented further');
  cursor.place = place;
  return map;
}

function readList(cursor: Cursor, depth: number): unknown[] {
  const { column } = cursor;
  const list: unknown[] = [];
  const place: Place = { start: cursor.at, parts: [] };
  do {
    const within = toItem(cursor, column);
    const start = cursor.at;
    cursor.place = undefined;
    list.push(readItem(cursor, within, column, depth));
    place.parts.push(list.length - 1, start, cursor.place);
  } while (cursor.column === column && atDash(cursor));
  if (cursor.column > column) notSimple('indented further');
  cursor.place = place;
  return list;
}

/** Go from a dash to what stands behind or below it, and say in which column that is. */
function toItem(cursor: Cursor, column: number): number {
  const { text } = cursor;
  const start = skipSpaces(text, cursor.at + 1);
  const code = text.charCodeAt(start);
  if (code === hash) notSimple('comment');
  const within = column + start - cursor.at;
  cursor.at = start;
  if (code !== lineFeed) return within;
  nextLine(cursor);
  if (text.slice(start, cursor.at).includes('#')) notSimple('comment');
  return cursor.column;
}

/** Read what stands in the column `within`: a map, a list, or another value. */
function readItem(cursor: Cursor, within: number, column: number, depth: number): unknown {
  if (within <= column || cursor.at === cursor.text.length) notSimple('empty item');
  cursor.column = within;
  return isBlock(cursor) ? readBlock(cursor, depth + 1) : readValue(cursor, column, depth);
}

function isBlock(cursor: Cursor): boolean {
  return atDash(cursor) || endOfKey(cursor.text, cursor.at) !== -1;
}

function readKey(cursor: Cursor): string {
  const { text, at } = cursor;
  const end = endOfKey(text, at);
  if (end === -1 || end - at > simpleKeyLength) notSimple('no key');
  cursor.at = end + 1;
  return isQuote(text, at) ? quotedText({ ...cursor, at }, 0) : withoutSpaces(text.slice(at, end));
}

/** The offset of the colon behind the key at `at`; -1 where none stands there, or no simple one. */
function endOfKey(text: string, at: number): number {
  if (isQuote(text, at)) {
    const end = endOfQuoted(text, at);
    const isKey = text.charCodeAt(end + 1) === colon && isGap(text, end + 2);
    return isKey && !text.slice(at, end).includes('\n') ? end + 1 : -1;
  }
  if (!startsPlain(text, at)) return -1;
  let last = 0;
  for (let end = at; end < text.length; end++) {
    const next = text.charCodeAt(end);
    if (next === lineFeed || next === tab || (next === hash && last === space)) return -1;
    if (next === colon && isGap(text, end + 1)) return end;
    last = next;
  }
  return -1;
}

function isGap(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === space || code === lineFeed || at === text.length;
}

/** Read what stands behind a key, or below it; a list may stand as far left as the key. */
function readMember(cursor: Cursor, column: number, depth: number): unknown {
  const { text } = cursor;
  cursor.at = skipSpaces(text, cursor.at);
  const code = text.charCodeAt(cursor.at);
  if (code !== lineFeed && code !== hash && cursor.at < text.length) {
    return readValue(cursor, column, depth);
  }
  const end = cursor.at;
  cursor.at = endOfLine(text, end);
  nextLine(cursor);
  const isBelow = cursor.column > column || (cursor.column === column && atDash(cursor));
  if (!isBelow) return null;
  if (isBlock(cursor)) return readBlock(cursor, depth + 1);
  if (text.slice(end, cursor.at).includes('#')) notSimple('comment before a text');
  return readValue(cursor, column, depth);
}

/** Read what is neither a map nor a list in blocks; `column` is that of the map or list around it. */
function readValue(cursor: Cursor, column: number, depth: number): unknown {
  switch (cursor.text.charCodeAt(cursor.at)) {
    case 0x7c: // |
    case 0x3e: // >
      return blockText(cursor, column);
    case quote:
    case apostrophe:
      return ended(cursor, quotedText(cursor, column));
    case 0x5b: // [
    case 0x7b: // {
      return ended(cursor, readFlow(cursor, column, depth + 1));
    default:
      return plainText(cursor, column);
  }
}

function ended<Value>(cursor: Cursor, value: Value): Value {
  endLine(cursor);
  return value;
}

function atDash({ text, at }: Cursor): boolean {
  return text.charCodeAt(at) === dash && isGap(text, at + 1);
}
