import { withoutNaN } from './lost-numbers.ts';

/**
 * The beginning of a number of 16 digits or more that stands as a value, or looks so inside of a
 * text. Its end is not looked for: a number can be as long as the answer.
 */
const longNumber = /(?:^|[:[,\s])-?[1-9]\d{15}/;

/** A whole number that can be an id; what is longer is no number that anybody means. */
const wholeNumber = /^-?\d{1,999}$/;

/** What is read in the place of JSON text, and how. */
interface ReadJson {
  readonly value: unknown;
  /** What had to be read as something else, in words. */
  readonly odd?: string;
}

/** What looks like half of a character: a surrogate (D800 to DFFF) without its other half. */
const looksHalf = /\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]/;
/** An escape within JSON text, two of them where those are one character. */
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[^u])/g;
const half = /^\\u[dD][89a-fA-F][\da-fA-F]{2}$/;

/** JSON text without halves of characters: UTF-8 has none, and each reader would make something else of them. */
function withWholeCharacters(text: string): string {
  if (!looksHalf.test(text)) return text;
  return text.replace(escapes, (each) => (half.test(each) ? '\ufffd' : each));
}

/**
 * Read what is meant to be JSON text: NaN and the infinities, which Python writes, are texts.
 *
 * @returns nothing where it is none
 */
export function tolerantJson(given: string): ReadJson | undefined {
  const text = withWholeCharacters(given);
  try {
    return { value: exactJson(text) };
  } catch {
    const mended = withoutNaN(text);
    if (mended === undefined) return undefined;
    try {
      return {
        value: exactJson(mended),
        odd: 'what is no number in JSON (NaN, Infinity) is a text here',
      };
    } catch {
      return undefined;
    }
  }
}

/**
 * Read JSON text. A whole number that a reader would round (RFC 8259, section 6: beyond 2^53) comes
 * as a text of its exact digits: ids of many vendors are that long.
 *
 * @throws SyntaxError
 */
export function exactJson(text: string): unknown {
  // A reviver takes several times as long, and hardly an answer needs it.
  return longNumber.test(text) ? parse(text, exactly) : JSON.parse(text);
}

/** JSON.parse source text access (ECMA-262), which the types of TypeScript do not have yet. */
const parse = JSON.parse as (text: string, revive: Reviver) => unknown;

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

function exactly(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined)
    return value;
  return wholeNumber.test(source) ? source : value;
}
