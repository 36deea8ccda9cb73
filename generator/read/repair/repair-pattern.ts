import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

/** An escape, a class, or another character. */
const parts = /\\[\s\S]|\[\^?(?:\\[\s\S]|\[:[a-z]+:\]|[^\]\\])*\]|[\s\S]/g;

/** An escape, a class of POSIX, a range of letters, or another character of a class. */
const partsOfClass = /\\[\s\S]|\[:[a-z]+:\]|[A-Za-z]-[A-Za-z]|[\s\S]/g;

/** With an anchor on the wrong side of a slash it matches nothing: the slashes are those of a program. */
const literal = /^\/(\^[\s\S]*|[\s\S]*[^\\]\$)\/([a-z]*)$/;

/** Flags without which a pattern of a schema takes the same. */
const harmless = /^[dgiuy]*$/;

/** Anchors of Perl, Python and Ruby; letters for ECMA-262, so that such a pattern matches nothing. */
const anchors: Readonly<Record<string, string>> = { '\\A': '^', '\\z': '$', '\\Z': '$' };

const posix: Readonly<Record<string, string>> = {
  '[:alnum:]': 'A-Za-z0-9',
  '[:alpha:]': 'A-Za-z',
  '[:blank:]': ' \\t',
  '[:digit:]': '0-9',
  '[:lower:]': 'a-z',
  '[:space:]': '\\s',
  '[:upper:]': 'A-Z',
  '[:word:]': '\\w',
  '[:xdigit:]': '0-9A-Fa-f',
};

/** Escapes that mean the same whatever the case. */
const caseless = /^\\[^A-Za-z]$|^\\[dDwWsSbBnrtfv]$/;

/**
 * Read a pattern that is written for another language as one of ECMA-262 (JSON Schema 2020-12 core, 6.4): as it
 * is, it would refuse all that it is meant to take.
 */
export function repairPattern(
  node: Node,
  { path, told }: { readonly path: Path; readonly told: Told },
): void {
  const { pattern } = node;
  if (typeof pattern !== 'string') return;
  const meant = meantBy(pattern);
  if (meant === pattern) return;
  if (meant === undefined) delete node['pattern'];
  else node['pattern'] = meant;
  const outcome = meant === undefined ? 'left out' : `read as ${JSON.stringify(meant)}`;
  const message = `${JSON.stringify(pattern)} is no regular expression of ECMA-262; it is ${outcome}`;
  told([...path, 'pattern'], message);
}

/** The same pattern in ECMA-262; nothing where it is not certain what it means. */
function meantBy(pattern: string): string | undefined {
  const [, inner = pattern, flags = ''] = literal.exec(pattern) ?? [];
  if (!harmless.test(flags)) return undefined;
  const text = inner.replace(/^\(\?i\)/, '');
  const isCaseless = flags.includes('i') || text !== inner;
  if (isCaseless && /\(\?<[A-Za-z]/.test(text)) return undefined;
  const meant = replaced(text, parts, (part) => {
    if (part.length > 1 && part.startsWith('[')) return classOf(part, isCaseless);
    return anchors[part] ?? (isCaseless ? inBothCases(part) : part);
  });
  return meant === pattern || (meant !== undefined && compiles(meant)) ? meant : undefined;
}

/** A text with its parts replaced; nothing where one of them has no other. */
function replaced(
  text: string,
  each: RegExp,
  change: (part: string) => string | undefined,
): string | undefined {
  const changed = (text.match(each) ?? []).map(change);
  return changed.includes(undefined) ? undefined : changed.join('');
}

function classOf(part: string, isCaseless: boolean): string | undefined {
  const inner = replaced(part.slice(1, -1), partsOfClass, (each) => {
    const known = each.startsWith('[:') ? posix[each] : each;
    return known !== undefined && isCaseless ? inBothCasesOfClass(each, known) : known;
  });
  return inner === undefined ? undefined : `[${inner}]`;
}

function inBothCasesOfClass(part: string, known: string): string | undefined {
  if (part === '[:lower:]' || part === '[:upper:]') return 'A-Za-z';
  if (part !== known || part.startsWith('\\')) return inOneCase(part, known);
  const [lower, upper] = [part.toLowerCase(), part.toUpperCase()];
  if (lower === upper) return part;
  if (part.length === 3 && part !== lower && part !== upper) return undefined;
  return /[A-Za-z]/.test(part) ? lower + upper : undefined;
}

function inBothCases(part: string): string | undefined {
  if (part.startsWith('\\')) return inOneCase(part, part);
  const [lower, upper] = [part.toLowerCase(), part.toUpperCase()];
  if (lower === upper) return part;
  return /[A-Za-z]/.test(part) ? `[${lower}${upper}]` : undefined;
}

/** What says the same of both cases, where it is certain that it does. */
function inOneCase(part: string, known: string): string | undefined {
  return part.startsWith('[:') || caseless.test(part) ? known : undefined;
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
