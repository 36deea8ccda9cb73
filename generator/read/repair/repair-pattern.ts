import { isObject } from '#contract/json';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

/** A quotation, an escape, a class, a repetition without a least number, or another character. */
const parts =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^{}]*\}|\\[pP][A-Z]|\\[\s\S]|\[\^?(?:\\[\s\S]|\[:[a-z]+:\]|[^\]\\])*\]|\{,\d+\}|[\s\S]/g;

/** An escape, a class of POSIX, a range of letters, or another character of a class. */
const partsOfClass =
  /\\[pPx]\{[^{}]*\}|\\[pP][A-Z]|\\[\s\S]|\[:[a-z]+:\]|[A-Za-z]-[A-Za-z]|[\s\S]/g;

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

/** Escapes of letters that ECMA-262 has; without the flag `u`, any other letter would stand for itself. */
const ownEscape = /^\\[dDwWsSbBnrtfvcxukpP]/;

/** Escapes of Perl, Java and Python that others do not read in another way. */
const otherEscapes: Readonly<Record<string, string>> = {
  '\\a': '\\x07',
  '\\e': '\\x1b',
  '\\R': '(?:\\r\\n|[\\n\\v\\f\\r\\x85\\u2028\\u2029])',
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
  repairNames(node, { path, told });
  if (typeof pattern !== 'string') return;
  const meant = meantBy(pattern);
  if (meant === pattern) return;
  if (meant === undefined) delete node['pattern'];
  else node['pattern'] = meant;
  told([...path, 'pattern'], outcome(pattern, meant));
}

function outcome(pattern: string, meant: string | undefined): string {
  const read = meant === undefined ? 'left out' : `read as ${JSON.stringify(meant)}`;
  return `${JSON.stringify(pattern)} is no regular expression of ECMA-262; it is ${read}`;
}

/** The same for names of members; where one is left out, nobody knows which members an object is closed to. */
function repairNames(
  node: Node,
  { path, told }: { readonly path: Path; readonly told: Told },
): void {
  const { patternProperties } = node;
  if (!isObject(patternProperties)) return;
  const read = Object.entries(patternProperties).map(
    ([pattern, schema]) => [pattern, meantBy(pattern), schema] as const,
  );
  if (read.every(([pattern, meant]) => pattern === meant)) return;
  for (const [pattern, meant] of read) {
    if (pattern !== meant) told([...path, 'patternProperties', pattern], outcome(pattern, meant));
  }
  const kept = read.filter(([, meant]) => meant !== undefined);
  // Members of one pattern have both schemas where two patterns are read as the same one.
  const meant = Object.groupBy(kept, ([, name = '']) => name);
  node['patternProperties'] = Object.fromEntries(
    Object.entries(meant).map(([name, all = []]) => {
      const schemas = all.map(([, , schema]) => schema);
      return [name, schemas.length === 1 ? schemas[0] : { allOf: schemas }];
    }),
  );
  if (kept.length === read.length) return;
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) delete node[keyword];
}

/** The same pattern in ECMA-262; nothing where it is not certain what it means. */
function meantBy(pattern: string): string | undefined {
  const [, inner = pattern, flags = ''] = literal.exec(pattern) ?? [];
  if (!harmless.test(flags)) return undefined;
  const text = inner.replace(/^\(\?i\)/, '');
  const isCaseless = flags.includes('i') || text !== inner;
  if (isCaseless && /\(\?<[A-Za-z]/.test(text)) return undefined;
  const isOther = !compiles(text);
  const meant = replaced(text, parts, (part) => {
    if (part.length > 1 && part.startsWith('[')) return classOf(part, { isCaseless, isOther });
    const known = anchors[part] ?? (isOther ? meantByPart(part) : part);
    return isCaseless && known === part ? inBothCases(part) : known;
  });
  return meant === pattern || (meant !== undefined && compiles(meant)) ? meant : undefined;
}

/** A part of a pattern that is none of ECMA-262 as a whole; nothing where languages differ in what it means. */
function meantByPart(part: string): string | undefined {
  if (part.startsWith('\\Q')) {
    const quoted = part.slice(2).replace(/\\E$/, '');
    return quoted.replaceAll(/[\^$.*+?()[\]{}|/\\]/g, String.raw`\$&`);
  }
  if (part.startsWith('{,')) return `{0${part.slice(1)}`;
  if (/^\\x\{/.test(part)) return `\\u${part.slice(2)}`;
  if (/^\\[pP][A-Z]$/.test(part)) return `${part.slice(0, 2)}{${part.slice(2)}}`;
  if (/^\\[pP]\{/.test(part)) return compiles(part) ? part : undefined;
  const isOwn = !/^\\[A-Za-z]/.test(part) || ownEscape.test(part);
  return isOwn ? part : otherEscapes[part];
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

function classOf(
  part: string,
  { isCaseless, isOther }: { readonly isCaseless: boolean; readonly isOther: boolean },
): string | undefined {
  // What stands on both sides of it, in Java and Ruby: a class within a class, which ends elsewhere.
  if (isOther && part.includes('&&')) return undefined;
  const inner = replaced(part.slice(1, -1), partsOfClass, (each) => {
    if (isOther && each === '\\R') return undefined;
    const own = isOther ? meantByPart(each) : each;
    const known = each.startsWith('[:') ? posix[each] : own;
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
