import { mostLevels } from '../json.ts';

/** Values of one message: no honest one has more, and what parses and checks them takes its time. */
export const mostValues = 50_000;

/** How many values a JSON text has, and how deep its arrays and objects lie. */
export interface JsonSize {
  readonly values: number;
  readonly levels: number;
}

const code = {
  quote: 0x22,
  comma: 0x2c,
  backslash: 0x5c,
  bracket: 0x5b,
  closingBracket: 0x5d,
  brace: 0x7b,
  closingBrace: 0x7d,
} as const;

/**
 * Count the values and levels of a JSON text, broken text as well, without making any of them: what
 * takes a second to parse is counted in a hundredth of it. An array or object without members counts
 * as two values. Counting stops above `most`.
 */
export function sizeOfJson(text: string, most: JsonSize): JsonSize {
  const { length } = text;
  let values = 1;
  let level = 0;
  let levels = 0;
  for (let at = 0; at < length; at += 1) {
    const unit = text.charCodeAt(at);
    // Blanks and numbers, of which there may be millions.
    if (unit < code.quote || (unit > code.comma && unit < code.bracket)) continue;
    if (unit === code.quote) at = endOfText(text, at + 1);
    else if (unit === code.closingBracket || unit === code.closingBrace) level -= 1;
    else if (unit === code.comma || unit === code.bracket || unit === code.brace) {
      values += 1;
      if (unit !== code.comma) level += 1;
      if (level > levels) levels = level;
      if (values > most.values || levels > most.levels) return { values, levels };
    }
  }
  return { values, levels };
}

/** The place of the quote that ends a text which begins at `start`. */
function endOfText(text: string, start: number): number {
  const { length } = text;
  const quote = text.indexOf('"', start);
  if (quote < 0) return length;
  if (text.charCodeAt(quote - 1) !== code.backslash) return quote;
  // Something is escaped: each backslash takes what follows it along.
  for (let at = start; at < length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === code.quote) return at;
    if (unit === code.backslash) at += 1;
  }
  return length;
}

/**
 * Why a text from outside is not parsed, in words that follow its name; `undefined` where nothing is
 * wrong. A text that is too short for too many values is not counted: its levels are for whoever
 * reads the value.
 */
export function excessOfJson(text: string): string | undefined {
  if (text.length <= mostValues) return undefined;
  const { values, levels } = sizeOfJson(text, { values: mostValues, levels: mostLevels });
  if (levels > mostLevels) return deeper;
  return values > mostValues ? `holds more than ${mostValues} values` : undefined;
}

/** What is said of a text whose arrays and objects lie too deep. */
export const deeper = `is nested deeper than ${mostLevels} levels`;
