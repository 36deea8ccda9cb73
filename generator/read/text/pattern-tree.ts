/** Characters by their codes, both ends included. */
export type Characters = readonly (readonly [from: number, to: number])[];

/** What a regular expression consists of, as far as it decides how long a match takes. */
export type PatternNode =
  | { readonly kind: 'characters'; readonly set: Characters }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly of: PatternNode;
      readonly least: number;
      readonly most: number;
    };

const last = 0x10ffff;
const anything: Characters = [[0, last]];
const digits: Characters = [[48, 57]];
const wordCharacters: Characters = [...digits, [65, 90], [95, 95], [97, 122]];
const blanks: Characters = [
  ...([
    [9, 13],
    [32, 32],
    [160, 160],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
  ] as const),
  ...([
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
  ] as const),
  [0xfeff, 0xfeff],
];
const classes: Readonly<Record<string, Characters>> = {
  ...{ d: digits, D: others(digits), w: wordCharacters, W: others(wordCharacters) },
  ...{ s: blanks, S: others(blanks) },
};
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0 };
const lineEnds: Characters = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];
const nothing: PatternNode = { kind: 'sequence', of: [] };

/**
 * Read a regular expression that compiles (ECMA-262, with the flag `u` or without). Assertions are
 * taken for nothing, and with `u` properties of characters for those of ASCII that have them and
 * for everything else, which lets more match, never less.
 *
 * @returns nothing where it refers back, looks around, names properties without `u`, or halves of characters with it
 */
export function readPattern(pattern: string, flags: '' | 'u'): PatternNode | undefined {
  const reader = new Reader(pattern, flags === 'u');
  try {
    return reader.choice();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const ascii = Array.from({ length: 128 }, (_, code) => code);

/** The characters of a property such as `p{L}`: those of ASCII as they are, and all others. */
function withProperty(property: string): Characters {
  const test = new RegExp(`\\${property}`, 'u');
  const own = ascii.filter((code) => test.test(String.fromCharCode(code)));
  return [...own.map((code) => [code, code] as const), [128, last]];
}

class Reader {
  readonly #text: string;
  readonly #isUnicode: boolean;
  #at = 0;
  #properties = 0;

  constructor(text: string, isUnicode: boolean) {
    this.#text = text;
    this.#isUnicode = isUnicode;
  }

  choice(): PatternNode {
    const of = [this.#sequence()];
    while (this.#took('|')) of.push(this.#sequence());
    return of.length === 1 && of[0] ? of[0] : { kind: 'choice', of };
  }

  #sequence(): PatternNode {
    const of: PatternNode[] = [];
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text[this.#at] ?? '')) {
      of.push(this.#repeated(this.#atom()));
    }
    return { kind: 'sequence', of };
  }

  #atom(): PatternNode {
    if (this.#took('^') || this.#took('$')) return nothing;
    if (this.#took('.')) return { kind: 'characters', set: others(lineEnds) };
    if (this.#took('[')) return { kind: 'characters', set: this.#class() };
    if (this.#took('(')) return this.#group();
    if (this.#took('\\')) {
      if (this.#took('b') || this.#took('B')) return nothing;
      return { kind: 'characters', set: this.#escaped() };
    }
    return { kind: 'characters', set: single(this.#next()) };
  }

  #group(): PatternNode {
    const named = this.#match(/\?<[^=!][^>]*>/y);
    if (named === undefined && this.#match(/\?:/y) === undefined && this.#text[this.#at] === '?') {
      throw new RangeError('it looks around, or sets flags');
    }
    const inner = this.choice();
    this.#took(')');
    return inner;
  }

  #repeated(of: PatternNode): PatternNode {
    const sign = this.#match(/[*+?]|\{\d+(?:,\d*)?\}/y);
    if (sign === undefined) return of;
    this.#took('?');
    const [least = '0', most = least] = sign.slice(1, -1).split(',');
    const bounds = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[sign];
    const [from = 0, to = 0] = bounds ?? [Number(least), most === '' ? Infinity : Number(most)];
    return { kind: 'repeat', of, least: from, most: to };
  }

  #class(): Characters {
    const isNegated = this.#took('^');
    const before = this.#properties;
    const set: [number, number][] = [];
    while (!this.#took(']')) {
      const from = this.#member();
      const isRange = this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']';
      if (!isRange) {
        set.push(...from.map(([a, b]): [number, number] => [a, b]));
        continue;
      }
      this.#took('-');
      const both = [...from, ...this.#member()];
      // A class at either end makes the hyphen one of the members.
      if (both.length > 2) set.push(...both.map(([a, b]): [number, number] => [a, b]), [45, 45]);
      else set.push([both[0]?.[0] ?? 0, both[1]?.[1] ?? last]);
    }
    // A property is taken for too much, and all but it would be too little.
    if (isNegated && this.#properties > before) return anything;
    return isNegated ? others(set) : set;
  }

  #member(): Characters {
    if (!this.#took('\\')) return single(this.#next());
    return this.#took('b') ? [[8, 8]] : this.#escaped();
  }

  #escaped(): Characters {
    const code = this.#match(/x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}/y);
    if (code !== undefined) return this.#single(Number.parseInt(code.slice(1), 16));
    if (this.#isUnicode) {
      const inBraces = this.#match(/u\{[0-9a-fA-F]+\}/y);
      if (inBraces !== undefined) return this.#single(Number.parseInt(inBraces.slice(2, -1), 16));
      const property = this.#match(/[pP]\{[^}]*\}/y);
      if (property !== undefined) {
        this.#properties++;
        return withProperty(property);
      }
    }
    const name = String.fromCharCode(this.#next());
    if (/[1-9kpPc]/.test(name)) throw new RangeError('it refers back, or names a property');
    return classes[name] ?? single(controls[name] ?? name.charCodeAt(0));
  }

  /** Two halves make one character with `u`, and nobody here puts them together. */
  #single(code: number): Characters {
    if (this.#isUnicode && code >= 0xd800 && code <= 0xdfff) {
      throw new RangeError('it names half a character');
    }
    return single(code);
  }

  #next(): number {
    const code = this.#isUnicode
      ? this.#text.codePointAt(this.#at)
      : this.#text.charCodeAt(this.#at);
    if (code === undefined || Number.isNaN(code)) throw new RangeError('it ends too early');
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  #took(character: string): boolean {
    const isThere = this.#text[this.#at] === character;
    if (isThere) this.#at++;
    return isThere;
  }

  #match(rule: RegExp): string | undefined {
    rule.lastIndex = this.#at;
    const [found] = rule.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

function single(code: number): Characters {
  return [[code, code]];
}

/** All characters but these. */
function others(set: Characters): Characters {
  const found: [number, number][] = [];
  let start = 0;
  for (const [from, to] of set.toSorted(([a], [b]) => a - b)) {
    if (from > start) found.push([start, from - 1]);
    start = Math.max(start, to + 1);
  }
  return start <= last ? [...found, [start, last]] : found;
}
