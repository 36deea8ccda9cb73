import {
  type Cursor,
  hash,
  lineFeed,
  notSimple,
  type Place,
  simpleDepth,
  simpleKeyLength,
  skipSpaces,
  space,
  tab,
} from './cursor.ts';
import { isQuote, plainValue, quotedText, startsPlain } from './line-texts.ts';

const comma = 0x2c;
const colon = 0x3a;

/** Read a list in brackets or a map in braces; what of it stands in further lines is right of `column`. */
export function readFlow(cursor: Cursor, column: number, depth: number): unknown {
  if (depth > simpleDepth) notSimple('deep');
  return cursor.text.charCodeAt(cursor.at) === 0x5b
    ? flowList(cursor, column, depth)
    : flowMap(cursor, column, depth);
}

function flowList(cursor: Cursor, column: number, depth: number): unknown[] {
  const list: unknown[] = [];
  const place: Place = { start: cursor.at, parts: [] };
  cursor.at++;
  while (!closes(cursor, column, 0x5d)) {
    const start = cursor.at;
    cursor.place = undefined;
    list.push(flowValue(cursor, column, depth));
    place.parts.push(list.length - 1, start, cursor.place);
    goOn(cursor, column, 0x5d);
  }
  cursor.place = place;
  return list;
}

function flowMap(cursor: Cursor, column: number, depth: number): Record<string, unknown> {
  const map: Record<string, unknown> = Object.create(null);
  const place: Place = { start: cursor.at, parts: [] };
  cursor.at++;
  while (!closes(cursor, column, 0x7d)) {
    const start = cursor.at;
    const name = flowKey(cursor, column);
    if (name in map) notSimple('key');
    skipGap(cursor, column);
    cursor.place = undefined;
    map[name] = flowValue(cursor, column, depth);
    place.parts.push(name, start, cursor.place);
    goOn(cursor, column, 0x7d);
  }
  cursor.place = place;
  return map;
}

/** Go to the next item, or behind the bracket or brace that ends them. */
function closes(cursor: Cursor, column: number, end: number): boolean {
  skipGap(cursor, column);
  if (cursor.text.charCodeAt(cursor.at) !== end) return false;
  cursor.at++;
  return true;
}

/** Go behind the comma that follows an item; the last one needs none. */
function goOn(cursor: Cursor, column: number, end: number): void {
  skipGap(cursor, column);
  const code = cursor.text.charCodeAt(cursor.at);
  if (code === comma) cursor.at++;
  else if (code !== end) notSimple('no comma');
}

function flowKey(cursor: Cursor, column: number): string {
  const { text } = cursor;
  const start = cursor.at;
  const isQuoted = isQuote(text, start);
  const name = isQuoted ? quotedText(cursor, column) : flowPlain(cursor);
  if (text.charCodeAt(cursor.at) !== colon || cursor.at - start > simpleKeyLength)
    notSimple('no key');
  if (isQuoted && text.slice(start, cursor.at).includes('\n')) notSimple('key in two lines');
  const next = text.charCodeAt(++cursor.at);
  if (!isQuoted && next !== 0x20 && next !== lineFeed) notSimple('no space');
  return name;
}

function flowValue(cursor: Cursor, column: number, depth: number): unknown {
  const code = cursor.text.charCodeAt(cursor.at);
  if (code === 0x5b || code === 0x7b) return readFlow(cursor, column, depth + 1);
  return isQuote(cursor.text, cursor.at)
    ? quotedText(cursor, column)
    : plainValue(flowPlain(cursor));
}

/** Read a text without quotes in one line. */
function flowPlain(cursor: Cursor): string {
  const { text, at } = cursor;
  if (!startsPlain(text, at)) notSimple('text between brackets');
  let end = at;
  let trimmed = at;
  for (; end < text.length && !endsFlowPlain(text, end); end++) {
    const code = text.charCodeAt(end);
    if (code === tab || (code === hash && trimmed < end)) notSimple('tab or comment');
    if (code !== space) trimmed = end + 1;
  }
  cursor.at = trimmed;
  return text.slice(at, trimmed);
}

function endsFlowPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === colon ? / |\n|[,[\]{}]/.test(text.charAt(at + 1)) : isFlowEnd(code);
}

function isFlowEnd(code: number): boolean {
  return (
    code === comma ||
    code === lineFeed ||
    code === 0x5b ||
    code === 0x5d ||
    code === 0x7b ||
    code === 0x7d
  );
}

/** Go over white space; further lines must stand right of `column`. */
function skipGap(cursor: Cursor, column: number): void {
  const { text } = cursor;
  let at = skipSpaces(text, cursor.at);
  while (text.charCodeAt(at) === lineFeed) {
    const start = at + 1;
    at = skipSpaces(text, start);
    const isEmpty = text.charCodeAt(at) === lineFeed;
    if (!isEmpty && at - start <= column) notSimple('left of its key');
  }
  cursor.at = at;
}
