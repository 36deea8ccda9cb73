/**
 * Compile a `pattern` of a JSON Schema: with the flag `u` (2020-12 core, section 6.4), without
 * which `\p{L}` means something else, or without it where only that is a regular expression (`\-`).
 *
 * @throws SyntaxError where it is none either way
 */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

/** The same, as the schema compiler wants its maker of regular expressions. */
export const patternEngine = Object.assign(compilePattern, { code: 'compilePattern' });
