import { lastAtOrBefore } from './line-positions.ts';

/** One member of a JSON object or array: where its key (in an array: its value) and value begin. */
export interface JsonMember {
  /** The unescaped key; in an array the position. */
  readonly key: string;
  readonly at: number;
  readonly valueAt: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Offset of the first character that is no white space (RFC 8259 section 2). */
export function skipSpace(text: string, at: number): number {
  let offset = at;
  for (let code = text.charCodeAt(offset); code <= 0x20; code = text.charCodeAt(++offset));
  return offset;
}

/** What one pass over a JSON text finds. */
export interface JsonScan {
  /** How many members all objects have. */
  readonly members: number;
  /** Where objects and arrays begin, in order, and where each of them ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Count the members and find the containers of valid JSON text. */
export function scanJson(text: string): JsonScan {
  let members = 0;
  const starts: number[] = [];
  const ends: number[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === colon) members++;
    else if (code === openBrace || code === openBracket) open.push(starts.push(at) - 1);
    else if (code === closeBrace || code === closeBracket) ends[open.pop() ?? 0] = at + 1;
  }
  return { members, starts, ends };
}

/** List the members of the object or array that begins at `at` in valid JSON text. */
export function readMembers(text: string, at: number, scan: JsonScan): JsonMember[] {
  const isObject = text.charCodeAt(at) === openBrace;
  if (!isObject && text.charCodeAt(at) !== openBracket) return [];
  const members: JsonMember[] = [];
  let offset = skipSpace(text, at + 1);
  while (offset < text.length) {
    const code = text.charCodeAt(offset);
    if (code === closeBrace || code === closeBracket) break;
    const member = isObject
      ? objectMember(text, offset)
      : { key: String(members.length), at: offset, valueAt: offset };
    members.push(member);
    offset = skipSpace(text, endOfValue(text, member.valueAt, scan));
    if (text.charCodeAt(offset) === comma) offset = skipSpace(text, offset + 1);
  }
  return members;
}

function objectMember(text: string, at: number): JsonMember {
  const end = endOfString(text, at);
  const key: unknown = JSON.parse(text.slice(at, end));
  const valueAt = skipSpace(text, skipSpace(text, end) + 1);
  return { key: String(key), at, valueAt };
}

function endOfValue(text: string, at: number, { starts, ends }: JsonScan): number {
  const first = text.charCodeAt(at);
  if (first === quote) return endOfString(text, at);
  if (first !== openBrace && first !== openBracket) return endOfWord(text, at);
  return ends[lastAtOrBefore(starts, at)] ?? text.length;
}

function endOfWord(text: string, at: number): number {
  let offset = at;
  for (; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code <= 0x20 || code === comma || code === closeBrace || code === closeBracket) break;
  }
  return offset;
}

function endOfString(text: string, at: number): number {
  for (let offset = at + 1; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === backslash) offset++;
    else if (code === quote) return offset + 1;
  }
  return text.length;
}
