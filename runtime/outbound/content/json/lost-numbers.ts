import { fewDigits, isRounded, suspectNumber } from '#contract/text/json-digits';

/** So many digits are kept of one answer, which may be any size; whoever has more asks for less. */
const mostKept = 100_000;

/** A longer number is rounded: nobody means its last digits. */
const longestKept = 100;

/** So many are counted; whoever reads that there are more has to look elsewhere anyway. */
const mostCounted = 1000;

const numbers = /-?\d[\d.eE+-]*/g;

/** The digits of numbers that a double has rounded, by what became of them. */
export type ExactDigits = ReadonlyMap<number, string>;

/** What reading a JSON text does to its numbers. */
export interface NumberLoss {
  /** In words: those beyond the range of doubles, which are null in the result, and those of too many digits. */
  readonly lost?: string;
  readonly digits?: ExactDigits;
}

/**
 * What reading a JSON text loses of its numbers (RFC 8259, section 6), and the digits with which they are
 * written again. Of two that become the same, neither is: nobody could tell them apart. Whole numbers keep
 * their digits by themselves (exact-json.ts).
 */
export function lostNumbers(text: string): NumberLoss {
  if (!suspectNumber.test(text)) return {};
  const digits = new Map<number, string>();
  let beyond = 0;
  let found = 0;
  for (const source of numbersIn(text)) {
    const value = Number(source);
    if (!Number.isFinite(value)) beyond += 1;
    else if (isRounded(source, value)) {
      found += 1;
      if (digits.size < mostKept && isKept(source, value)) digits.set(value, source);
    }
  }
  if (digits.size > 0) dropAmbiguous(digits, text);
  const rounded = found > digits.size ? unkept(digits, text) : 0;
  const kept = found - rounded;
  const told = [
    beyond > 0 ? `${counted(beyond, 'was', 'were')} too large to be read and null here` : '',
    rounded > 0 ? `${counted(rounded, 'was', 'were')} rounded to 17 digits` : '',
    kept > 0
      ? `${counted(kept, 'has', 'have')} more digits than most programs keep, all in the text`
      : '',
  ];
  const lost = told.filter(Boolean).join(', ');
  return { ...(lost && { lost }), ...(digits.size > 0 && { digits }) };
}

/** JSON text in which numbers have the digits that they came with. */
export function withDigits(value: unknown, digits: ExactDigits | undefined): string {
  if (digits === undefined || digits.size === 0) return JSON.stringify(value);
  return JSON.stringify(value, (_, member: unknown) => {
    const source = typeof member === 'number' ? digits.get(member) : undefined;
    return source === undefined ? member : rawJSON(source);
  });
}

/** JSON.rawJSON (ECMA-262, JSON.parse source text access), which the types of TypeScript do not have yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** One that is read as a small whole number could be taken for a count of ours. */
function isKept(source: string, value: number): boolean {
  return source.length <= longestKept && !Number.isSafeInteger(value);
}

/** Two numbers that are told apart in the answer, and are one when they are read. */
function dropAmbiguous(digits: Map<number, string>, text: string): void {
  const ambiguous = new Set<number>();
  for (const source of numbersIn(text)) {
    const value = Number(source);
    const known = digits.get(value);
    if (known !== undefined && known !== source) ambiguous.add(value);
  }
  for (const value of ambiguous) digits.delete(value);
}

function unkept(digits: ExactDigits, text: string): number {
  let count = 0;
  for (const source of numbersIn(text)) {
    const value = Number(source);
    if (Number.isFinite(value) && isRounded(source, value) && !digits.has(value)) count += 1;
  }
  return count;
}

function counted(count: number, one: string, several: string): string {
  const many = count >= mostCounted ? `${mostCounted} or more` : count;
  return count === 1 ? `1 number of the answer ${one}` : `${many} numbers of the answer ${several}`;
}

/** The numbers of a JSON text, none of those that stand in its strings. */
function* numbersIn(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    // Between two strings there is seldom more than a few characters.
    if (end - at > fewDigits || /\d/.test(text.slice(at, end))) {
      for (const [source] of text.slice(at, end).matchAll(numbers)) yield source;
    }
    at = quote === -1 ? end : endOfString(text, quote);
  }
}

const noNumber = /-?\b(?:NaN|Infinity)\b/g;

/**
 * The same text with what Python and others write for numbers that JSON has no form for (RFC 8259,
 * section 6) as texts; `undefined` where it holds none.
 */
export function withoutNaN(text: string): string | undefined {
  if (!/\b(?:NaN|Infinity)\b/.test(text)) return undefined;
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const start = quote === -1 ? text.length : quote;
    const end = quote === -1 ? start : endOfString(text, quote);
    parts.push(text.slice(at, start).replace(noNumber, '"$&"'), text.slice(start, end));
    at = end;
  }
  return parts.join('');
}

function endOfString(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
}
