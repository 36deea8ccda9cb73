/**
 * Digits that a double may not hold (IEEE 754: 15 are safe), or an exponent that may lead beyond all of
 * them, or below. Nearly all texts have none, and are looked at no further.
 */
export const suspectNumber = /(?:^|[:[,\s])-?(?:0\.\d{16}|[1-9][\d.]{16}|\d[\d.]*[eE][+-]?\d{3})/;

/** So many digits every double keeps. */
export const fewDigits = 15;

/** Whether a fraction is written with other digits when it has been read; whole numbers are no fractions. */
export function isRounded(source: string, value: number): boolean {
  if (value === 0) return /^-?[\d.]*[1-9]/.test(source);
  if (source.length <= fewDigits + 1) return false;
  const written = String(value);
  if (written === source || /^-?\d+$/.test(source)) return false;
  return digitsOf(written) !== digitsOf(source);
}

/** All digits that count, without the place of the point. */
function digitsOf(source: string): string {
  const [mantissa = ''] = source.split(/[eE]/, 1);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return digits.slice(0, end);
}

/** What was written in the place of fractions that have been rounded, by the objects and lists that hold them. */
const written = new WeakMap<object, Map<string, string>>();

/** JSON.parse source text access (ECMA-262), which the types of TypeScript do not have yet. */
const parse = JSON.parse as (text: string, revive: Reviver) => unknown;

type Reviver = (
  this: object,
  name: string,
  value: unknown,
  context: { readonly source?: string },
) => unknown;

/**
 * Read JSON text, and remember of each fraction that is rounded by that how it was written.
 *
 * @throws SyntaxError
 */
export function rememberingJson(text: string): unknown {
  // A reviver takes several times as long, and hardly a message needs it.
  return suspectNumber.test(text) ? parse(text, remember) : JSON.parse(text);
}

function remember(
  this: object,
  name: string,
  value: unknown,
  { source }: { readonly source?: string },
): unknown {
  if (typeof value !== 'number' || source === undefined || !isRounded(source, value)) return value;
  const members = written.get(this) ?? new Map<string, string>();
  written.set(this, members.set(name, source));
  return value;
}

/** How the fractions among the members of what was read so were written, where they have been rounded. */
export function writtenIn(parent: object): ReadonlyMap<string, string> | undefined {
  return written.get(parent);
}
