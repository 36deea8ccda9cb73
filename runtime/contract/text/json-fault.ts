/** The place of a fault that the parser does not tell is looked for in texts up to this length. */
const longestSearched = 65_536;

/** What other texts begin with. */
const others: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(?:!doctype html|html|head|body)\b/i, 'it is an HTML page'],
  [/^\s*<[?!\w]/, 'it is XML'],
  [/^\s*---\s/, 'it is YAML'],
  [/^[\w.[\]%+-]{1,80}=[^=]/, 'it is a form, such as a=1&b=2'],
];

/**
 * Where a text stops being JSON, or what it is instead; `undefined` where it is JSON. A byte order mark is
 * passed over (RFC 8259, section 8.1). No more of the text is repeated than one character: it may be secret.
 */
export function jsonFault(marked: string): string | undefined {
  const text = marked.replace(/^\uFEFF/, '');
  if (text === '') return 'it is empty';
  const error = faultOf(text);
  return error === undefined ? undefined : placeOf(error, text);
}

/** @returns the message of the parser */
function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : '';
  }
}

function placeOf(message: string, text: string): string {
  // Of a member or a text that is cut, the parser says what it expects at the end.
  if (message.startsWith('Unexpected end') || positionIn(message) === text.length)
    return `it ends too early, after ${text.length} characters`;
  const other = others.find(([start]) => start.test(text))?.[1];
  if (other !== undefined) return other;
  const position = positionIn(message) ?? searched(text);
  if (position === undefined) return 'it is something else';
  const blank = /^\s*/.exec(text)?.[0].length ?? 0;
  if (position > blank) return `it is wrong ${toldPlace(text.slice(0, position))}`;
  return `it begins with ${shown(text.codePointAt(blank))}`;
}

function positionIn(message: string): number | undefined {
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  return position === undefined ? undefined : Number(position);
}

/** How much of a text can be the beginning of JSON: the parser names no place of what it did not expect. */
function searched(text: string): number | undefined {
  if (text.length > longestSearched) return undefined;
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (canGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function canGoOn(start: string): boolean {
  const message = faultOf(start);
  if (message === undefined || message.startsWith('Unexpected end')) return true;
  return (positionIn(message) ?? 0) >= start.length;
}

/** Behind a beginning: by its line and column, where there is more than one line. */
function toldPlace(beginning: string): string {
  const lines = beginning.split(/\r\n|\n|\r/);
  if (lines.length === 1) return `after ${beginning.length} characters`;
  return `in line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** One character, so that nothing can be hidden in it. */
function shown(code = 0): string {
  const isPlain = code > 0x20 && code < 0x7f;
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  return isPlain ? JSON.stringify(String.fromCodePoint(code)) : `U+${hex}`;
}
