/** A regular expression taken apart into what takes characters and what only looks at them. */
export interface LookArounds {
  /** With nothing in the place of `(?=`, `(?!`, `(?<=` and `(?<!`: no text that matched is lost. */
  readonly outer: string;
  /** What stands in each of them. */
  readonly inner: readonly string[];
}

/** Take a regular expression apart; `outer` is the source as it is where nothing in it looks around. */
export function lookArounds(source: string): LookArounds {
  let outer = '';
  const inner: string[] = [];
  let held = '';
  // The depth of groups inside of what is taken out; 0 outside of it.
  let depth = 0;
  for (const [token] of source.matchAll(tokens)) {
    if (depth === 0) {
      if (opening.test(token)) depth = 1;
      else outer += token;
      continue;
    }
    if (token.startsWith('(')) depth += 1;
    else if (token === ')') depth -= 1;
    if (depth > 0) {
      held += token;
      continue;
    }
    inner.push(held);
    held = '';
    // Whatever repeats it repeats nothing else.
    outer += nothing;
  }
  return { outer, inner };
}

/** A regular expression without what looks around, for those who make texts: they know no empty group. */
export function withoutLookArounds(source: string): string {
  const { outer, inner } = lookArounds(source);
  return inner.length === 0 ? source : outer.replaceAll(nothing, '');
}

/** Escapes and classes, which may hold brackets, openings of groups, and all other characters. */
const tokens = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|./gs;
const nothing = '(?:)';
const opening = /^\(\?<?[=!]/;
