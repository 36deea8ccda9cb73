/** Where JSON text stops being JSON, and what was expected there. */
export interface JsonSyntaxError {
  readonly offset: number;
  readonly message: string;
}

const space = /[ \t\n\r]*/y;
const token =
  /[{}[\],:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;

/** Where a walk through JSON text stands: what it expects at an offset, inside of what. */
export interface JsonPlace {
  readonly offset: number;
  readonly expected: string;
  readonly inside: '{' | '[' | undefined;
  /** Where the last token ends. */
  readonly behind: number;
}

/**
 * Find the first place where `text` breaks the grammar of RFC 8259. The messages of `JSON.parse`
 * name an offset for some errors only.
 *
 * @param goOn says from where, and expecting what, to go on behind such a place, if at all
 */
export function findJsonError(
  text: string,
  goOn: (place: JsonPlace) => Omit<JsonPlace, 'inside'> | undefined = () => undefined,
): JsonSyntaxError | undefined {
  const open: ('{' | '[')[] = [];
  let expected = 'a value';
  let behind = 0;
  for (let offset = 0; ; ) {
    space.lastIndex = offset;
    space.test(text);
    offset = space.lastIndex;
    if (offset === text.length) {
      return expected === 'the end'
        ? undefined
        : { offset, message: `expected ${expected}, found the end` };
    }
    token.lastIndex = offset;
    const found = token.exec(text)?.[0];
    const next = found === undefined ? undefined : step(expected, found, open);
    if (found === undefined || next === undefined) {
      const mended = goOn({ offset, expected, inside: open.at(-1), behind });
      if (mended === undefined) {
        return { offset, message: `expected ${expected}, found ${shown(text, offset)}` };
      }
      ({ offset, expected, behind } = mended);
      continue;
    }
    expected = next;
    offset += found.length;
    behind = offset;
  }
}

/** What may follow `found` where `expected` stood; `undefined` when `found` may not stand there. */
function step(expected: string, found: string, open: ('{' | '[')[]): string | undefined {
  const inner = open.at(-1);
  switch (expected) {
    case 'a key':
    case 'a key or }':
      if (found === '}' && expected === 'a key or }') return close(open);
      return found.startsWith('"') ? '":"' : undefined;
    case '":"':
      return found === ':' ? 'a value' : undefined;
    case '"," or }':
    case '"," or ]':
      if (found === ',') return inner === '{' ? 'a key' : 'a value';
      return found === (inner === '{' ? '}' : ']') ? close(open) : undefined;
    case 'the end':
      return undefined;
    default:
      if (found === ']' && expected === 'a value or ]') return close(open);
      return value(found, open);
  }
}

function value(found: string, open: ('{' | '[')[]): string | undefined {
  if (found === '{' || found === '[') {
    open.push(found);
    return found === '{' ? 'a key or }' : 'a value or ]';
  }
  return /^[}\],:]/.test(found) ? undefined : afterValue(open);
}

function close(open: ('{' | '[')[]): string {
  open.pop();
  return afterValue(open);
}

function afterValue(open: readonly ('{' | '[')[]): string {
  if (open.length === 0) return 'the end';
  return open.at(-1) === '{' ? '"," or }' : '"," or ]';
}

function shown(text: string, offset: number): string {
  return JSON.stringify(text.slice(offset, offset + 12).replace(/\s[\s\S]*/, ''));
}
