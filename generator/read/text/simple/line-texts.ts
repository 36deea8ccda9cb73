import { type Cursor, endOfLine, hash, nextLine, notSimple, skipSpaces, space } from './cursor.ts';

/** What begins a text without quotes for certain. */
const plainStart = /[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=[^\s,[\]{}])/y;

/** Whether a text or key without quotes begins at `at`. */
export function startsPlain(text: string, at: number): boolean {
  plainStart.lastIndex = at;
  return plainStart.test(text);
}

/** What ends a text without quotes, or is an error in it: a colon or `#` with white space. */
const endsPlain = /: |:$| #|\t/;

/** Read a text without quotes, a number or a word; further lines stand right of `column`. */
export function plainText(cursor: Cursor, column: number): unknown {
  const { text, at } = cursor;
  if (!startsPlain(text, at)) notSimple('start of a text');
  const end = endOfLine(text, at);
  const line = text.slice(at, end);
  cursor.at = end;
  const comment = line.indexOf(' #');
  const first = plainLine(comment === -1 ? line : line.slice(0, comment));
  const rest = comment === -1 ? furtherLines(cursor, column) : '';
  nextLine(cursor);
  return rest === '' ? plainValue(first) : first + rest;
}

function plainLine(line: string): string {
  const trimmed = withoutSpaces(line);
  if (endsPlain.test(trimmed)) notSimple('colon or # in a text');
  return trimmed;
}

/** A line without the spaces at its end; other white space is a part of the text. */
export function withoutSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === space) end--;
  return line.slice(0, end);
}

/** The lines that go on with a text, folded; the cursor stands at the end of a line then. */
function furtherLines(cursor: Cursor, column: number): string {
  const { text } = cursor;
  let folded = '';
  let breaks = 0;
  let end = cursor.at;
  while (end < text.length) {
    const start = end + 1;
    const at = skipSpaces(text, start);
    end = endOfLine(text, at);
    breaks++;
    if (at === end) continue;
    if (at - start <= column || text.charCodeAt(at) === hash) break;
    folded += (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)) + plainLine(text.slice(at, end));
    breaks = 0;
    cursor.at = end;
  }
  return folded;
}

const words: Readonly<Record<string, boolean | null>> = {
  // biome-ignore-start lint/style/useNamingConvention: these are words of YAML
  '~': null,
  null: null,
  Null: null,
  NULL: null,
  true: true,
  True: true,
  TRUE: true,
  false: false,
  False: false,
  FALSE: false,
  // biome-ignore-end lint/style/useNamingConvention: these are words of YAML
};

/** What a text without quotes stands for (YAML 1.2.2, section 10.3.2). */
export function plainValue(text: string): unknown {
  const code = text.charCodeAt(0);
  const isNumeric = code <= 0x39 && code !== 0x24 && code !== 0x2f;
  if (isNumeric) return numberOf(text);
  return text.length <= 5 && Object.hasOwn(words, text) ? words[text] : text;
}

const otherNumber = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/;

function numberOf(text: string): unknown {
  if (/^[-+]?[0-9]+$/.test(text)) return finite(Number.parseInt(text, 10));
  const isFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
  if (isFloat.test(text)) return finite(Number.parseFloat(text));
  return otherNumber.test(text) ? notSimple('kind of number') : text;
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : notSimple('number');
}

/** What escapes stand for (YAML 1.2.2, section 5.7). */
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  ' ': ' ',
  '\t': '\t',
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

/** Read a text in quotes; the cursor stands behind it then. */
export function quotedText(cursor: Cursor, column: number): string {
  const { text, at } = cursor;
  const end = endOfQuoted(text, at);
  const raw = text.slice(at + 1, end);
  const isSingle = text.charCodeAt(at) === 0x27;
  cursor.at = end + 1;
  const folded = raw.includes('\n') ? foldQuoted(raw, column, !isSingle) : raw;
  if (isSingle) return folded.includes("'") ? folded.replaceAll("''", "'") : folded;
  if (!folded.includes('\\')) return folded;
  return folded.replaceAll(
    /\\(U00[01][0-9a-fA-F]{5}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])/g,
    meaningOf,
  );
}

export function isQuote(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x22 || code === 0x27;
}

function meaningOf(_: string, written: string): string {
  if (written.length > 1) {
    const point = Number.parseInt(written.slice(1), 16);
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : notSimple('escape');
  }
  return escapes[written] ?? notSimple('escape');
}

/** The offset of the quote that ends the text whose first quote stands at `at`. */
export function endOfQuoted(text: string, at: number): number {
  const end = text.charCodeAt(at) === 0x27 ? endOfSingle(text, at + 1) : endOfDouble(text, at + 1);
  return end === -1 ? notSimple('open text') : end;
}

function endOfSingle(text: string, from: number): number {
  let end = text.indexOf("'", from);
  while (end !== -1 && text.charCodeAt(end + 1) === 0x27) end = text.indexOf("'", end + 2);
  return end;
}

function endOfDouble(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && endsInEscape(text, from, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether a backslash that is none of a pair stands before `end`. */
function endsInEscape(text: string, from: number, end: number): boolean {
  let first = end;
  while (first > from && text.charCodeAt(first - 1) === 0x5c) first--;
  return (end - first) % 2 === 1;
}

/** Fold the lines of a text in quotes (YAML 1.2.2, section 6.5); all of them stand right of `column`. */
function foldQuoted(raw: string, column: number, escaped: boolean): string {
  if (raw.includes('\t')) notSimple('tab');
  const lines = raw.split('\n');
  let folded = '';
  let breaks = 0;
  let joined = false;
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    const start = index === 0 ? 0 : skipSpaces(line, 0);
    if (index > 0 && start === line.length && !isLast) {
      breaks++;
      continue;
    }
    if (index > 0 && start <= column) notSimple('text in quotes left of its key');
    if (index > 0 && !joined) folded += breaks === 0 ? ' ' : '\n'.repeat(breaks);
    else if (breaks > 0) notSimple('empty line behind an escaped break');
    joined = escaped && !isLast && endsInEscape(line, start, line.length);
    const kept = line.slice(start, joined ? -1 : line.length);
    const whole = isLast || joined ? kept : withoutSpaces(kept);
    if (escaped && !isLast && endsInEscape(whole, 0, whole.length)) notSimple('escaped space');
    folded += whole;
    breaks = 0;
  }
  return folded;
}
