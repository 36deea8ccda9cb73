/** A text in quotes of more than one line. */
export interface QuotedText {
  /** Where its first quote stands, and what is behind its last one. */
  readonly start: number;
  readonly end: number;
  /** The column of the key or dash that it belongs to, from 0; -1 where there is none. */
  readonly parent: number;
}

interface Scan {
  readonly text: string;
  readonly found: QuotedText[];
  /** The column of the key or dash that was read last. */
  parent: number;
}

/** Thrown where something is wrong beside the indentation. */
class Unclear extends Error {}

/**
 * Find the texts in quotes of several lines in YAML, wherever their lines begin, in one pass that
 * knows of YAML what it needs for that: keys and dashes, blocks, brackets, comments.
 *
 * @returns nothing where it cannot tell
 */
export function quotedTexts(text: string): readonly QuotedText[] | undefined {
  const scan: Scan = { text, found: [], parent: -1 };
  try {
    for (let at = 0; at < text.length; ) at = readLine(scan, at);
    return scan.found;
  } catch (cause) {
    if (cause instanceof Unclear) return undefined;
    throw cause;
  }
}

const mark = /(?:---|\.\.\.)(?=\s|$)|%/y;
const innerMark = /\n(?:---|\.\.\.)\s/;
/** Bounded, as each round of a group takes room of the stack. */
const dashes = / *(?:[-?](?=\s|$)[ \t]*){0,400}/y;
const properties = /(?:[&!]\S*[ \t]+){0,2}/y;
const colon = /[ \t]*:(?=\s|$)[ \t]*/y;
const beginsPlain = /[^\s{[|>#]/y;
const keyOrEnd = /:(?=\s|$)[ \t]*|[ \t]#|\n/g;
const blockEnd = /[ \t]*(?:\r?\n|$|(?<=[ \t])#)/y;
const flowEnd = /\s*(?:[,:\]}]|(?<=\s)#)/y;

/** Where the match of a pattern ends that must begin at an offset; nothing without one. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Read the line that begins at an offset, and those that go on with its value. */
function readLine(scan: Scan, start: number): number {
  const { text } = scan;
  if (endOf(mark, text, start) !== undefined) {
    scan.parent = -1;
    return nextLine(text, start);
  }
  const behind = endOf(dashes, text, start) ?? start;
  const dash = text.slice(start, behind).search(/[-?][ \t]*$/);
  if (dash >= 0) scan.parent = dash;
  const at = endOf(properties, text, behind) ?? behind;
  const key = isQuote(text, at) ? quotedKey(text, at) : plainKey(text, at);
  if (key === undefined) return readValue(scan, at);
  scan.parent = at - start;
  return readValue(scan, endOf(properties, text, key) ?? key);
}

function quotedKey(text: string, at: number): number | undefined {
  const close = closingQuote(text, at);
  const line = nextLine(text, at);
  return close < line ? endOf(colon, text, close) : undefined;
}

function plainKey(text: string, at: number): number | undefined {
  if (endOf(beginsPlain, text, at) === undefined) return undefined;
  keyOrEnd.lastIndex = at;
  return keyOrEnd.exec(text)?.[0].startsWith(':') ? keyOrEnd.lastIndex : undefined;
}

/** Read a value, if there is one, and give the line behind it. */
function readValue(scan: Scan, at: number): number {
  const { text, parent } = scan;
  const first = text.charAt(at);
  if (isQuote(text, at)) return nextLine(text, readQuoted(scan, at, blockEnd));
  if (first === '{' || first === '[') return nextLine(text, readFlow(scan, at));
  let line = nextLine(text, at);
  if (first === '#' || first.trim() === '') return line;
  // A block, or a text without quotes: what stands further right belongs to it.
  while (line < text.length && goesOn(text, line, parent)) line = nextLine(text, line);
  return line;
}

function goesOn(text: string, line: number, parent: number): boolean {
  const column = (endOf(/ */y, text, line) ?? line) - line;
  return column > parent || endOf(/[ \t\r]*(?:\n|$)/y, text, line) !== undefined;
}

/** Read a text in quotes; `behind` is what may follow it. */
function readQuoted({ text, found, parent }: Scan, start: number, behind: RegExp): number {
  const end = closingQuote(text, start);
  const quoted = text.slice(start, end);
  if (!quoted.includes('\n')) return end;
  if (innerMark.test(quoted) || endOf(behind, text, end) === undefined) throw new Unclear();
  found.push({ start, end, parent });
  return end;
}

/** Read a list or map in brackets. */
function readFlow(scan: Scan, start: number): number {
  const { text } = scan;
  const signs = /[{}[\]"'#]/g;
  signs.lastIndex = start;
  let depth = 0;
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    const { 0: character, index } = sign;
    if (character === '#') {
      if (/\s/.test(text.charAt(index - 1))) signs.lastIndex = nextLine(text, index);
    } else if ('"\''.includes(character)) {
      if (beginsText(text, index)) signs.lastIndex = readQuoted(scan, index, flowEnd);
    } else depth += '{['.includes(character) ? 1 : -1;
    if (depth === 0) return signs.lastIndex;
  }
  throw new Unclear();
}

/** Whether a quote within brackets is no apostrophe: it stands behind a sign. */
function beginsText(text: string, quote: number): boolean {
  let before = quote - 1;
  while (/\s/.test(text.charAt(before))) before--;
  return '{[,:?'.includes(text.charAt(before));
}

function isQuote(text: string, at: number): boolean {
  return text.charAt(at) === '"' || text.charAt(at) === "'";
}

/** What is behind the quote that closes the one at an offset (YAML 1.2, 7.3.1 and 7.3.2). */
function closingQuote(text: string, open: number): number {
  const end = text.charAt(open) === '"' ? /\\[\s\S]|"/g : /''|'/g;
  end.lastIndex = open + 1;
  for (let found = end.exec(text); found !== null; found = end.exec(text)) {
    if (found[0].length === 1) return found.index + 1;
  }
  throw new Unclear();
}

/** Where the line begins behind that of an offset. */
function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
