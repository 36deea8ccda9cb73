import { QueryRefusal } from '../refusal.ts';

/** A word of a query. */
export interface Token {
  readonly kind: 'name' | 'number' | 'duration' | 'bytes' | 'string' | 'sign' | 'end';
  /** As it stands there; of a string, what it means. */
  readonly text: string;
  /** Of a number; of a duration, in milliseconds; of an amount, in bytes. */
  readonly value: number;
  readonly at: number;
}

const msOf: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

const bytesOf: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1000,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

const space = /(?:[\s\uFEFF]|#[^\n]*)*/y;
const duration = /(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|[smhdwy]))+(?![\w.])/y;
const bytes = /(\d+(?:\.\d+)?)([kmgKMG]?[iI]?[bB])(?!\w)/y;
const number = /(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])/y;
const name = /[A-Za-z_:][A-Za-z0-9_:]*/y;
const dottedName = /[A-Za-z_][A-Za-z0-9_]*(?:[.:][A-Za-z0-9_/-]+)*|\.[A-Za-z_][A-Za-z0-9_./-]*/y;
const string = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|`[^`]*`/y;
const sign = /\|=|\|~|\|>|!>|!=|!~|=~|==|>=|<=|>>|<<|&&|\|\||[{}()[\],=<>+\-*/%^@|:~!]/y;

/** The words of a query, one after the other (PromQL, LogQL, TraceQL: they share their forms). */
export function scan(text: string, names: 'plain' | 'dotted' = 'plain'): readonly Token[] {
  const tokens: Token[] = [];
  const namePattern = names === 'plain' ? name : dottedName;
  let at = 0;
  const matched = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  for (;;) {
    at += matched(space)?.[0].length ?? 0;
    if (at >= text.length) break;
    const token = nextToken(matched, namePattern, at);
    if (token === undefined) {
      throw new QueryRefusal(
        `${JSON.stringify(text[at])} stands where nothing of the language does`,
        at,
      );
    }
    tokens.push(token[0]);
    at += token[1];
  }
  return [...tokens, { kind: 'end', text: '', value: 0, at: text.length }];
}

function nextToken(
  matched: (pattern: RegExp) => RegExpExecArray | null,
  namePattern: RegExp,
  at: number,
): readonly [Token, number] | undefined {
  const lasting = matched(duration)?.[0];
  if (lasting !== undefined) {
    return [{ kind: 'duration', text: lasting, value: durationMs(lasting), at }, lasting.length];
  }
  const amount = matched(bytes);
  if (amount !== null) {
    const [whole, count = '', unit = ''] = amount;
    const value = Number(count) * (bytesOf[unit.toLowerCase()] ?? 1);
    return [{ kind: 'bytes', text: whole, value, at }, whole.length];
  }
  const digits = matched(number)?.[0];
  if (digits !== undefined) {
    return [{ kind: 'number', text: digits, value: Number(digits), at }, digits.length];
  }
  const quoted = matched(string)?.[0];
  if (quoted !== undefined) {
    return [{ kind: 'string', text: unquoted(quoted, at), value: 0, at }, quoted.length];
  }
  const word = matched(namePattern)?.[0];
  if (word !== undefined) {
    if (/^(?:inf|nan)$/i.test(word)) {
      const value = /^inf$/i.test(word) ? Number.POSITIVE_INFINITY : Number.NaN;
      return [{ kind: 'number', text: word, value, at }, word.length];
    }
    return [{ kind: 'name', text: word, value: 0, at }, word.length];
  }
  const mark = matched(sign)?.[0];
  return mark === undefined ? undefined : [{ kind: 'sign', text: mark, value: 0, at }, mark.length];
}

/** A duration such as `1h30m` in milliseconds. */
export function durationMs(text: string): number {
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|[smhdwy])/g);
  return [...parts].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (msOf[unit] ?? 0),
    0,
  );
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v' },
  ...{ '\\': '\\', '"': '"', "'": "'" },
};

/** What a string means that is written as in Go. */
function unquoted(text: string, at: number): string {
  const inner = text.slice(1, -1);
  if (text.startsWith('`')) return inner;
  return inner.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (whole, two, four, eight, one) => {
      const code = two ?? four ?? eight;
      if (code !== undefined && Number.parseInt(code, 16) <= 0x10ffff) {
        return String.fromCodePoint(Number.parseInt(code, 16));
      }
      const known = escapes[one ?? ''];
      if (known === undefined) throw new QueryRefusal(`${whole} is no escape in a string`, at);
      return known;
    },
  );
}

/** Walks over the words of a query. */
export class Words {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new Error('a query has an end');
    return token;
  }

  take(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (token.kind === 'sign' || token.kind === 'name') && token.text === text;
  }

  /** Take the next word where it is this one. */
  skip(text: string): boolean {
    if (!this.is(text)) return false;
    this.#at += 1;
    return true;
  }

  /** @throws QueryRefusal where the next word is another one */
  expect(text: string): Token {
    if (this.is(text)) return this.take();
    throw this.wrong(`${JSON.stringify(text)} is expected`);
  }

  kind(kind: Token['kind'], what: string): Token {
    if (this.peek().kind === kind) return this.take();
    throw this.wrong(`${what} is expected`);
  }

  /** Read what lies in something else, to a bound: what recurses must end. */
  deeper<Value>(read: () => Value): Value {
    this.#depth += 1;
    if (this.#depth > 60) throw this.wrong('the parts of the query lie too deep in each other');
    const value = read();
    this.#depth -= 1;
    return value;
  }

  wrong(what: string): QueryRefusal {
    const { kind, text, at } = this.peek();
    const found =
      kind === 'end' ? 'the query ends' : `there is ${JSON.stringify(text.slice(0, 40))}`;
    return new QueryRefusal(`${what}, but ${found}`, at);
  }
}
