/** Where JSON text stops being JSON, and what was expected there. */
export interface JsonSyntaxError {
  readonly offset: number;
  readonly message: string;
}

const space = /[ \t\n\r]*/y;
const token =
  /[{}[\],:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;

/**
 * Find the first place where `text` breaks the grammar of RFC 8259. The messages of `JSON.parse`
 * name an offset for some errors only.
 */
export function findJsonError(text: string): JsonSyntaxError {
  const open: ('{' | '[')[] = [];
  let expected = 'a value';
  for (let offset = 0; ; ) {
    space.lastIndex = offset;
    space.test(text);
    offset = space.lastIndex;
    if (offset === text.length) return { offset, message: `expected ${expected}, found the end` };
    token.lastIndex = offset;
    const found = token.exec(text)?.[0];
    const next = found === undefined ? undefined : step(expected, found, open);
    if (next === undefined) {
      return { offset, message: `expected ${expected}, found ${shown(text, offset)}` };
    }
    expected = next;
    offset += found?.length ?? 1;
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
