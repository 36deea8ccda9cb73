/**
 * A regular expression without what it only looks at, `(?=`, `(?!`, `(?<=` and `(?<!`: more matches
 * it, and no text that matched is lost.
 *
 * @returns the source as it is where nothing in it looks around
 */
export function withoutLookarounds(source: string): string {
  let kept = '';
  // The depth of groups inside of what is left out; 0 outside of it.
  let depth = 0;
  for (const [token] of source.matchAll(tokens)) {
    if (depth === 0 && opening.test(token)) depth = 1;
    else if (depth === 0) kept += token;
    else if (token.startsWith('(')) depth += 1;
    else if (token === ')') depth -= 1;
  }
  return kept;
}

/** Escapes and classes, which may hold brackets, openings of groups, and all other characters. */
const tokens = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|./gs;
const opening = /^\(\?<?[=!]/;
