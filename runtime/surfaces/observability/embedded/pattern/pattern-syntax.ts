import { QueryRefusal } from '../refusal.ts';

/** Code points from the first to the last. */
export type Range = readonly [number, number];

/** A regular expression as a tree. */
export type Node =
  | { readonly type: 'empty' }
  | { readonly type: 'set'; readonly ranges: readonly Range[] }
  | { readonly type: 'edge'; readonly edge: 'start' | 'end' }
  | { readonly type: 'join'; readonly parts: readonly Node[] }
  | { readonly type: 'choice'; readonly parts: readonly Node[] }
  | {
      readonly type: 'repeat';
      readonly of: Node;
      readonly least: number;
      readonly most: number | undefined;
    };

const last = 0x10ffff;
const anyRanges: readonly Range[] = [[0, last]];
const newline = 10;
const digits: readonly Range[] = [[48, 57]];
const words: readonly Range[] = [...digits, [65, 90], [95, 95], [97, 122]];
const spaces: readonly Range[] = [
  [9, 10],
  [12, 13],
  [32, 32],
];
const classes: Readonly<Record<string, readonly Range[]>> = {
  d: digits,
  D: complement(digits),
  w: words,
  W: complement(words),
  s: spaces,
  S: complement(spaces),
};
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, a: 7 };
const mostRepeats = 1000;
const deepest = 50;

interface Flags {
  readonly i: boolean;
  readonly s: boolean;
}

/**
 * Read a regular expression of RE2 (github.com/google/re2/wiki/Syntax), as far as a match is all that
 * is wanted: what it captures is not kept.
 *
 * @throws QueryRefusal for what is wrong, and for what is not supported
 */
export function parsePattern(text: string): Node {
  return new PatternParser([...text]).parse();
}

class PatternParser {
  readonly #text: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(text: readonly string[]) {
    this.#text = text;
  }

  parse(): Node {
    const [node] = this.#choice({ i: false, s: false });
    if (this.#at < this.#text.length) throw this.#wrong('a ) without its (');
    return node;
  }

  /** Alternatives up to a closing bracket. Flags that are set in between hold until then. */
  #choice(given: Flags): readonly [Node, Flags] {
    let flags = given;
    const parts: Node[] = [];
    for (;;) {
      const joined: Node[] = [];
      while (this.#at < this.#text.length && !'|)'.includes(this.#peek())) {
        const [node, after] = this.#item(flags);
        flags = after;
        joined.push(node);
      }
      parts.push(joinOf(joined));
      if (this.#peek() !== '|') break;
      this.#at += 1;
    }
    const [only] = parts;
    return [parts.length === 1 && only ? only : { type: 'choice', parts }, flags];
  }

  #item(flags: Flags): readonly [Node, Flags] {
    const [atom, after] = this.#atom(flags);
    let node = atom;
    for (let count = this.#count(); count !== undefined; count = this.#count()) {
      // Whether it takes as much or as little as it can makes no difference to a match.
      if (this.#peek() === '?') this.#at += 1;
      node = { type: 'repeat', of: node, ...count };
    }
    return [node, after];
  }

  #count(): { readonly least: number; readonly most: number | undefined } | undefined {
    const sign = this.#peek();
    if (sign === '*' || sign === '+' || sign === '?') {
      this.#at += 1;
      return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : undefined };
    }
    const [whole, least, comma, most] =
      /^\{(\d{1,5})(?:(,)(\d{0,5}))?\}/.exec(this.#text.slice(this.#at, this.#at + 14).join('')) ??
      [];
    if (whole === undefined) return undefined;
    this.#at += whole.length;
    const from = Number(least);
    const open = most === '' ? undefined : Number(most);
    const to = comma === undefined ? from : open;
    if (from > mostRepeats || (to !== undefined && (to > mostRepeats || to < from))) {
      throw this.#wrong(
        `${whole} repeats more than ${mostRepeats} times, or less than it begins with`,
      );
    }
    return { least: from, most: to };
  }

  #atom(flags: Flags): readonly [Node, Flags] {
    const sign = this.#take();
    switch (sign) {
      case '(':
        return this.#group(flags);
      case '[':
        return [setOf(this.#members(), flags), flags];
      case '.':
        return [
          { type: 'set', ranges: flags.s ? anyRanges : complement([[newline, newline]]) },
          flags,
        ];
      case '^':
        return [{ type: 'edge', edge: 'start' }, flags];
      case '$':
        return [{ type: 'edge', edge: 'end' }, flags];
      case '*':
      case '+':
      case '?':
        throw this.#wrong(`nothing stands before ${sign} that it could repeat`);
      case '\\': {
        const found = this.#escape();
        return ['type' in found ? found : setOf(found.ranges, flags), flags];
      }
      default:
        return [setOf([single(sign)], flags), flags];
    }
  }

  #group(flags: Flags): readonly [Node, Flags] {
    this.#depth += 1;
    if (this.#depth > deepest) throw this.#wrong('groups lie too deep in each other');
    let inner = flags;
    const [head, named, on = '', off = '', end] =
      /^\?(?:(P?<[A-Za-z_]\w*>)|([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)]))/.exec(
        this.#text.slice(this.#at, this.#at + 80).join(''),
      ) ?? [];
    if (head !== undefined) this.#at += head.length;
    else if (this.#peek() === '?') throw this.#wrong('this kind of group is not supported');
    if (named === undefined && head !== undefined) {
      if (!/^[is]*$/.test(on + off)) throw this.#wrong(`of the flags, i and s are supported alone`);
      inner = {
        i: (flags.i || on.includes('i')) && !off.includes('i'),
        s: (flags.s || on.includes('s')) && !off.includes('s'),
      };
      if (end === ')') {
        this.#depth -= 1;
        return [{ type: 'empty' }, inner];
      }
    }
    const [node] = this.#choice(inner);
    if (this.#take() !== ')') throw this.#wrong('a ( without its )');
    this.#depth -= 1;
    return [node, flags];
  }

  /** What stands in square brackets. */
  #members(): readonly Range[] {
    const isNegated = this.#peek() === '^';
    if (isNegated) this.#at += 1;
    const ranges: Range[] = [];
    for (let isFirst = true; ; isFirst = false) {
      const sign = this.#take();
      if (sign === '') throw this.#wrong('a [ without its ]');
      if (sign === ']' && !isFirst) break;
      if (sign === '[' && this.#peek() === ':') throw this.#wrong('[: :] is not supported');
      const from = sign === '\\' ? this.#member() : [single(sign)];
      const [[low, high] = [0, 0]] = from;
      const isRange = this.#peek() === '-' && this.#text[this.#at + 1] !== ']';
      if (!isRange || from.length > 1 || low !== high) {
        ranges.push(...from);
        continue;
      }
      this.#at += 1;
      const next = this.#take();
      const [to = single('')] = next === '\\' ? this.#member() : [single(next)];
      if (next === '' || to[0] < low) throw this.#wrong('a range in [ ] ends before it begins');
      ranges.push([low, to[1]]);
    }
    return isNegated ? complement(ranges) : ranges;
  }

  #member(): readonly Range[] {
    const found = this.#escape();
    if ('type' in found) throw this.#wrong('an anchor cannot stand in [ ]');
    return found.ranges;
  }

  #escape(): { readonly ranges: readonly Range[] } | (Node & { readonly type: 'edge' }) {
    const sign = this.#take();
    const known = classes[sign];
    if (known !== undefined) return { ranges: known };
    if (sign === 'A') return { type: 'edge', edge: 'start' };
    if (sign === 'z') return { type: 'edge', edge: 'end' };
    const control = controls[sign];
    if (control !== undefined) return { ranges: [[control, control]] };
    if (sign === 'x') {
      const rest = this.#text.slice(this.#at, this.#at + 10).join('');
      const [whole, two, more] = /^(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/.exec(rest) ?? [];
      const code = Number.parseInt(two ?? more ?? '', 16);
      if (whole === undefined || code > last) throw this.#wrong('\\x without a code');
      this.#at += whole.length;
      return { ranges: [[code, code]] };
    }
    if (sign === '' || /[A-Za-z0-9]/.test(sign)) throw this.#wrong(`\\${sign} is not supported`);
    return { ranges: [single(sign)] };
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #take(): string {
    const sign = this.#peek();
    if (sign !== '') this.#at += 1;
    return sign;
  }

  #wrong(what: string): QueryRefusal {
    return new QueryRefusal(`in the regular expression: ${what}`, Math.max(0, this.#at - 1));
  }
}

function joinOf(parts: readonly Node[]): Node {
  const [only] = parts;
  if (only === undefined) return { type: 'empty' };
  return parts.length === 1 ? only : { type: 'join', parts };
}

function single(sign: string): Range {
  const code = sign.codePointAt(0) ?? 0;
  return [code, code];
}

function setOf(ranges: readonly Range[], { i }: Flags): Node {
  return { type: 'set', ranges: i ? [...ranges, ...otherCase(ranges)] : ranges };
}

/** Letters of ASCII in their other case, and single other letters. */
function otherCase(ranges: readonly Range[]): Range[] {
  return ranges.flatMap(([low, high]): Range[] => {
    if (low === high) {
      const sign = String.fromCodePoint(low);
      return [single(sign.toLowerCase()), single(sign.toUpperCase())];
    }
    const overlap = (from: number, to: number, by: number): Range[] => {
      const [start, end] = [Math.max(low, from), Math.min(high, to)];
      return start > end ? [] : [[start + by, end + by]];
    };
    return [...overlap(65, 90, 32), ...overlap(97, 122, -32)];
  });
}

function complement(ranges: readonly Range[]): readonly Range[] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const found: Range[] = [];
  let next = 0;
  for (const [low, high] of sorted) {
    if (low > next) found.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= last) found.push([next, last]);
  return found;
}
