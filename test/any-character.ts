import fc from 'fast-check';

const [firstSurrogate, surrogates, last] = [0xd800, 0x800, 0x10ffff];

/**
 * A unit of texts: any code point that is no half of a pair, as the unit `binary` of fast-check is,
 * which counts up a table of a million of them before it makes the first text.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: last - surrogates })
  .map(characterAt, placeOf);

function characterAt(place: number): string {
  return String.fromCodePoint(place < firstSurrogate ? place : place + surrogates);
}

/** @throws TypeError where the value is not one character */
function placeOf(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
  if (code === undefined || value !== String.fromCodePoint(code)) {
    throw new TypeError('not one character');
  }
  if (code < firstSurrogate) return code;
  if (code < firstSurrogate + surrogates) throw new TypeError('half of a pair');
  return code - surrogates;
}
