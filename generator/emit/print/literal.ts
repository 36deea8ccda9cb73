import { displayWidth } from './display-width.ts';
import { isIdentifier, quoted } from './quoted.ts';

/** The width of a line, as biome.json has it. */
export const lineWidth = 100;

/** An expression that stands in a literal as it is written; its later lines are indented from 0. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An expression of which the first form is taken whose lines all fit. */
export class Layouts {
  readonly texts: readonly [string, ...string[]];
  constructor(...texts: readonly [string, ...string[]]) {
    this.texts = texts;
  }
}

/** A call in a literal: `callee(first, second)`. */
export class Call {
  readonly callee: string;
  readonly args: readonly unknown[];
  constructor(callee: string, args: readonly unknown[]) {
    this.callee = callee;
    this.args = args;
  }
}

/** A member of an object that brings in the members of another: `...expression`. */
export class Spread {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An object that many literals hold in the same place: what is printed there is made once. */
export class Shared {
  readonly value: object;
  readonly #texts = new Map<string, string>();
  constructor(value: object) {
    this.value = value;
  }

  printedAt({ depth, used, after }: Place, print: () => string): string {
    const place = `${depth} ${used} ${after}`;
    const text = this.#texts.get(place) ?? print();
    this.#texts.set(place, text);
    return text;
  }
}

/** Where a literal begins: how deep its lines are indented, what stands left and right of it. */
export interface Place {
  /** Indentation of the line on which the literal begins, in steps of two spaces. */
  readonly depth: number;
  /** Columns taken on that line, indentation included. */
  readonly used: number;
  /** Columns that follow on the literal's last line, such as a comma. */
  readonly after: number;
}

/**
 * Print `value` as a TypeScript expression, laid out so that Biome leaves it alone: on one line
 * where it fits, else one member per line. Members that are `undefined` are left out.
 */
export function literal(value: unknown, place: Place = { depth: 0, used: 0, after: 0 }): string {
  if (value instanceof Shared) return value.printedAt(place, () => literal(value.value, place));
  const flat = onOneLine(value, lineWidth - place.used - place.after);
  if (flat !== undefined) return flat;
  if (value instanceof Code) return indentLines(value.text, place.depth);
  if (value instanceof Call) return callLines(value, place);
  if (value instanceof Layouts) return layoutLines(value, place);
  if (Array.isArray(value)) return arrayLines(value, place.depth);
  if (typeof value === 'object' && value !== null) return objectLines(value, place.depth);
  return scalar(value);
}

/** `key: value,` lines of an object, as `literal` prints them, without the braces. */
export function members(value: object, depth: number): string[] {
  const inner = depth + 1;
  return present(value).map(
    ([key, member]) => `${'  '.repeat(inner)}${property(key, member, inner)},`,
  );
}

function property(key: string, value: unknown, depth: number): string {
  const short = shorthand(key, value);
  if (short !== undefined) return short;
  const name = `${propertyName(key)}:`;
  const used = depth * 2 + displayWidth(name) + 1;
  const text = literal(value, { depth, used, after: 1 });
  const movesDown =
    typeof value === 'string' &&
    used + displayWidth(text) + 1 > lineWidth &&
    displayWidth(name) - 1 >= shortKey;
  return movesDown ? `${name}\n${'  '.repeat(depth + 1)}${text}` : `${name} ${text}`;
}

function isExpression(value: object): boolean {
  return value instanceof Code || value instanceof Call || value instanceof Layouts;
}

function layoutLines({ texts }: Layouts, { depth, used, after }: Place): string {
  const fits = (text: string) =>
    text.split('\n').every((line, index, lines) => {
      const before = index === 0 ? used : depth * 2;
      const behind = index === lines.length - 1 ? after : 0;
      return before + displayWidth(line) + behind <= lineWidth;
    });
  return indentLines(texts.find(fits) ?? texts.at(-1) ?? '', depth);
}

/** A member that is written without a colon: a spread, or a name that is its own value. */
function shorthand(key: string, value: unknown): string | undefined {
  if (value instanceof Spread) return `...${value.text}`;
  return value instanceof Code && value.text === propertyName(key) ? key : undefined;
}

/** A last argument that is an object shares its lines with the call; others have their own. */
function callLines({ callee, args }: Call, { depth, used, after }: Place): string {
  const first = args.slice(0, -1).map((argument) => literal(argument));
  const last = args.at(-1);
  const head = `${callee}(${first.map((text) => `${text}, `).join('')}`;
  const isObject = typeof last === 'object' && last !== null && !isExpression(last);
  if (isObject && used + displayWidth(head) < lineWidth) {
    return `${head}${literal(last, { depth, used: lineWidth, after })})`;
  }
  const inner = depth + 1;
  const lines = args.map((argument) => {
    const text = literal(argument, { depth: inner, used: inner * 2, after: 1 });
    return `${'  '.repeat(inner)}${text},`;
  });
  return `${callee}(\n${lines.join('\n')}\n${'  '.repeat(depth)})`;
}

/** A long string stays beside a key that is so short that moving it down would gain nothing. */
const shortKey = 5;

function objectLines(value: object, depth: number): string {
  const lines = members(value, depth);
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

function arrayLines(values: readonly unknown[], depth: number): string {
  const indent = '  '.repeat(depth + 1);
  const texts = values.map((member) => {
    const place = { depth: depth + 1, used: indent.length, after: 1 };
    return `${literal(member, place)},`;
  });
  const lines = values.every((member) => typeof member === 'number')
    ? fill(texts, lineWidth - indent.length)
    : texts;
  return `[\n${lines.map((line) => indent + line).join('\n')}\n${'  '.repeat(depth)}]`;
}

/** Numbers are packed, as many on a line as fit. */
function fill(texts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + text.length <= width) {
      lines[lines.length - 1] = `${last} ${text}`;
    } else lines.push(text);
  }
  return lines;
}

/** The literal on one line, or `undefined` where it is wider than `width` or must be broken. */
function onOneLine(value: unknown, width: number): string | undefined {
  if (width <= 0 || value instanceof Layouts) return undefined;
  let text: string | undefined;
  if (value instanceof Code) text = value.text.includes('\n') ? undefined : value.text;
  else if (value instanceof Call) text = flatCall(value, width);
  else if (value instanceof Shared) return onOneLine(value.value, width);
  else if (Array.isArray(value)) text = flatArray(value, width);
  else if (typeof value === 'object' && value !== null) text = flatObject(value, width);
  else text = scalar(value);
  return text !== undefined && displayWidth(text) <= width ? text : undefined;
}

function flatCall({ callee, args }: Call, width: number): string | undefined {
  return flatMembers(args, width, (member, rest) => onOneLine(member, rest), [`${callee}(`, ')']);
}

function flatArray(values: readonly unknown[], width: number): string | undefined {
  if (isTable(values)) return undefined;
  return flatMembers(values, width, (member, rest) => onOneLine(member, rest), ['[', ']']);
}

function flatObject(value: object, width: number): string | undefined {
  const entries = present(value);
  if (entries.length === 0) return '{}';
  const print = ([key, member]: [string, unknown], rest: number) => {
    const short = shorthand(key, member);
    if (short !== undefined) return short;
    const text = onOneLine(member, rest);
    return text === undefined ? undefined : `${propertyName(key)}: ${text}`;
  };
  return flatMembers(entries, width, print, ['{ ', ' }']);
}

function flatMembers<Member>(
  list: readonly Member[],
  width: number,
  print: (member: Member, width: number) => string | undefined,
  [open, close]: readonly [string, string],
): string | undefined {
  let text = open;
  for (const [index, member] of list.entries()) {
    const part = print(member, width - text.length);
    if (part === undefined) return undefined;
    text += index === 0 ? part : `, ${part}`;
    if (text.length > width * 2) return undefined;
  }
  return text + close;
}

/** Several objects (or several arrays) of more than one member each never share a line. */
function isTable(values: readonly unknown[]): boolean {
  if (values.length < 2) return false;
  const sizes = values.map((value) => {
    if (value instanceof Code || typeof value !== 'object' || value === null) return 0;
    return Array.isArray(value) ? value.length : present(value).length;
  });
  if (sizes.some((size) => size < 2)) return false;
  return values.every(Array.isArray) || !values.some(Array.isArray);
}

function present(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** A text, number, boolean or null as a literal. */
export function scalar(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return numeral(value);
  return String(value);
}

function numeral(value: number): string {
  const text = String(value).replace('e+', 'e');
  if (!Number.isSafeInteger(value) || Math.abs(value) < 10_000) return text;
  return text.replace(/\B(?=(\d{3})+$)/g, '_');
}

/** A key as it stands in an object literal; `__proto__: x` would set the prototype instead. */
export function propertyName(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  // Linters take an object with such a member for a promise.
  if (key === 'then') return "'\\u0074hen'";
  return isIdentifier(key) || /^(0|[1-9]\d{0,8})$/.test(key) ? key : quoted(key);
}

function indentLines(text: string, depth: number): string {
  return text.replaceAll('\n', `\n${'  '.repeat(depth)}`);
}
