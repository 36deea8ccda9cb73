import { plainValue } from './plain-value.ts';

/** What leads from plain YAML to all of it: other line ends and controls, markers of documents. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unplain = /[\u0000-\u0008\u000b-\u001f\u007f\ufeff]|^(?:---|\.\.\.)/m;

/** What a scalar or a key without quotes does not begin with (YAML 1.2.2, section 5.3). */
const indicators = '-?:,[]{}#&*!|>\'"%@` \t\n';
const quotedKey = /"(?:[^"\\\n]|\\["\\/])*"(?=:(?: |\n|$))|'(?:[^'\n]|'')*'(?=:(?: |\n|$))/y;
const quotedText = /"([^"\\\n]*)"|'((?:[^'\n]|'')*)'/y;
const plainText = /[^\s\-?:,[\]{}#&*!|>'"%@`][^\n]*|[-?:][^\s][^\n]*/y;
const noMembers = /\{\}|\[\]/y;
const restOfLine = / *(?:(?<= )#[^\n]*)?(?:\n|$)/y;
const blankLines = /(?: *(?:#[^\n]*)?\n)*(?: *(?:#[^\n]*)?$)?/y;
/** Nodes that have a name or are one, and those behind a tab; block scalars that are indented from the block around. */
const dependent = /^(?:[\t&*!%]|[|>][+-]?\d)/;
const longestKey = 1000;

/** A place in a YAML text, which is read from its beginning to its end. */
export class PlainScanner {
  readonly #text: string;
  /** Where the line of the place begins. */
  #line = 0;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isPlain(): boolean {
    return !unplain.test(this.#text);
  }

  isAtEnd(): boolean {
    return this.at >= this.#text.length;
  }

  column(): number {
    return this.at - this.#line;
  }

  /** Whether nothing but a comment is left of the line. */
  isLineDone(): boolean {
    return this.#match(restOfLine, this.at) !== undefined;
  }

  /** Go on to the first line that is neither empty nor a comment, behind its indentation. */
  skipBlank(): void {
    if (this.column() > 0) this.at += this.#match(restOfLine, this.at)?.[0].length ?? 0;
    this.at += this.#match(blankLines, this.at)?.[0].length ?? 0;
    this.#line = this.at;
    this.#skipSpaces();
  }

  /** Whether an item of a sequence begins here. */
  isItem(): boolean {
    return this.#text.charAt(this.at) === '-' && ' \n'.includes(this.#text.charAt(this.at + 1));
  }

  /** Go behind the mark of an item. */
  item(): void {
    this.at += 1;
    this.#skipSpaces();
  }

  isKey(): boolean {
    return this.#keyEnd() !== undefined;
  }

  /** Read a key and go behind its colon; nothing where none stands that is plain. */
  key(): string | undefined {
    const end = this.#keyEnd();
    if (end === undefined || end - this.at > longestKey) return undefined;
    const own = this.#text.slice(this.at, end);
    if (own.includes('\t')) return undefined;
    this.at = end + 1;
    this.#skipSpaces();
    if (own.startsWith('"')) return JSON.parse(own) as string;
    return own.startsWith("'") ? own.slice(1, -1).replaceAll("''", "'") : own.trimEnd();
  }

  /** Read a scalar that ends with its line in a block of this column, and go on to what follows. */
  shortScalar(column: number): { readonly value: unknown } | undefined {
    const found = this.#scalarHere();
    if (!found || this.#match(restOfLine, found.end) === undefined) return undefined;
    const [at, line] = [this.at, this.#line];
    this.at = found.end;
    this.skipBlank();
    if (this.isAtEnd() || this.column() <= column) return found;
    [this.at, this.#line] = [at, line];
    return undefined;
  }

  /** Cut out all that a block of this column holds from here on, and go on to what follows. */
  longNode(column: number): string | undefined {
    const end = this.#endOfBlock(column);
    const own = this.#text.slice(this.at, end);
    if (dependent.test(own)) return undefined;
    [this.at, this.#line] = [end, end];
    this.skipBlank();
    return own;
  }

  #scalarHere(): { readonly value: unknown; readonly end: number } | undefined {
    const [quoted, double, single = ''] = this.#match(quotedText, this.at) ?? [];
    if (quoted !== undefined) {
      return { value: double ?? single.replaceAll("''", "'"), end: this.at + quoted.length };
    }
    const [none] = this.#match(noMembers, this.at) ?? [];
    if (none !== undefined) {
      return { value: none === '[]' ? [] : Object.create(null), end: this.at + none.length };
    }
    const [line] = this.#match(plainText, this.at) ?? [];
    const own = line?.split(' #', 1)[0]?.trimEnd() ?? '';
    const value = own === '' || /:(?: |$)|\t/.test(own) ? undefined : plainValue(own);
    return value === undefined ? undefined : { value, end: this.at + own.length };
  }

  #keyEnd(): number | undefined {
    const first = this.#text.charAt(this.at);
    if (first === '"' || first === "'") {
      const [own] = this.#match(quotedKey, this.at) ?? [];
      return own === undefined ? undefined : this.at + own.length;
    }
    if (indicators.includes(first)) return undefined;
    const end = this.#lineEnd(this.at);
    let colon = this.#text.indexOf(':', this.at);
    while (colon !== -1 && colon < end && !' \n'.includes(this.#text.charAt(colon + 1))) {
      colon = this.#text.indexOf(':', colon + 1);
    }
    if (colon === -1 || colon >= end) return undefined;
    return this.#text.slice(this.at, colon).includes(' #') ? undefined : colon;
  }

  #lineEnd(from: number): number {
    const end = this.#text.indexOf('\n', from);
    return end === -1 ? this.#text.length : end;
  }

  /** Where the first line begins that is not empty and not further in than this column. */
  #endOfBlock(column: number): number {
    let line = this.#lineEnd(this.at) + 1;
    while (line < this.#text.length) {
      let at = line;
      while (this.#text.charCodeAt(at) === 0x20) at += 1;
      const end = this.#lineEnd(at);
      if (at < end && at - line <= column) return line;
      line = end + 1;
    }
    return this.#text.length;
  }

  #skipSpaces(): void {
    while (this.#text.charCodeAt(this.at) === 0x20) this.at += 1;
  }

  #match(rule: RegExp, at: number): RegExpExecArray | undefined {
    rule.lastIndex = at;
    return rule.exec(this.#text) ?? undefined;
  }
}
