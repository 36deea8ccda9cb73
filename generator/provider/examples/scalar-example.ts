import { sample, stringMatching } from 'fast-check';
import { LRUCache } from 'lru-cache';
import { compilePattern } from '#contract/schema/pattern';
import { withoutLookArounds } from '../../read/text/pattern/look-arounds.ts';
import { type PatternNode, readPattern } from '../../read/text/pattern-tree.ts';
import { isSafePattern } from '../../read/text/safe-pattern.ts';

type Node = Readonly<Record<string, unknown>>;

const longest = 1000;
/** An example is shorter; a little longer is made in no time. */
const longestMade = 10_000;
/** Characters that any pattern is done with at once. */
const longestUnsafe = 12;

/** Strings of the formats that are checked, as their RFCs want them. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'someone@example.org',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.org/',
  url: 'https://example.org/',
  'uri-reference': '/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Make a string, number, boolean or null that a schema accepts, as far as that can be guessed. */
export function scalarExample(type: string, node: Node): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return numberExample(node, type === 'integer');
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return stringExample(node);
    default:
      return {};
  }
}

function numberExample(node: Node, whole: boolean): number {
  const least = bound(node['minimum']) ?? afterBound(node['exclusiveMinimum'], 1, whole);
  const most = bound(node['maximum']) ?? afterBound(node['exclusiveMaximum'], -1, whole);
  const wanted = Math.min(Math.max(1, least ?? 1), most ?? Number.MAX_SAFE_INTEGER);
  const step = bound(node['multipleOf']);
  return step === undefined ? wanted : exact(Math.ceil(exact(wanted / step)) * step);
}

/** A number without what is left of a division in binary: `0.3 / 0.1` is no 2.9999999999999996. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}

function bound(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function afterBound(value: unknown, direction: 1 | -1, whole: boolean): number | undefined {
  return typeof value === 'number' ? value + direction * (whole ? 1 : 0.5) : undefined;
}

function stringExample(node: Node): string {
  const { format, pattern, minLength, maxLength } = node;
  const least = Math.min(bound(minLength) ?? 0, longest);
  const most = bound(maxLength) ?? longest;
  const usual = (formats[String(format)] ?? 'example').padEnd(least, 'x').slice(0, most);
  if (typeof pattern !== 'string') return usual;
  const matches = matcherOf(pattern);
  const isFit = (text: string) =>
    text.length >= least && text.length <= most && (matches(text) ?? text !== usual);
  if (isFit(usual)) return usual;
  // What matches anywhere in a text leaves room around it, which may be too much.
  return matching(pattern).find(isFit) ?? matching(`^(?:${pattern})$`).find(isFit) ?? usual;
}

/**
 * Whether texts match; nothing where that may take ages, as a pattern of a vendor does on longer texts
 * that it does not match.
 */
function matcherOf(pattern: string): (text: string) => boolean | undefined {
  const isSafe = isSafePattern(pattern);
  const expression = expressionOf(pattern);
  return (text) => (isSafe || text.length <= longestUnsafe ? expression?.test(text) : undefined);
}

function expressionOf(pattern: string): RegExp | undefined {
  try {
    return compilePattern(pattern);
  } catch {
    return undefined;
  }
}

/** What was made for patterns: a description writes few of them, each in many places. */
const made = new LRUCache<string, readonly string[]>({ max: 1000 });

/** Texts that match a pattern, plain ones first, the same in every run. */
function matching(pattern: string): readonly string[] {
  const known = made.get(pattern);
  if (known) return known;
  const texts = makeMatching(pattern);
  made.set(pattern, texts);
  return texts;
}

/** Whether what matches is so long that texts of it fill the memory, and an example takes none of them. */
function isLengthy({ source, unicode }: RegExp): boolean {
  const tree = readPattern(source, unicode ? 'u' : '');
  if (tree !== undefined) return leastMade(tree) > longestMade;
  const counts = [...source.matchAll(/\{(\d+)/g)].map(([, count]) => Math.max(1, Number(count)));
  return counts.reduce((product, count) => product * count, 1) > longestMade;
}

/** Characters of the longest text whose repetitions are as few as they may be. */
function leastMade(node: PatternNode): number {
  if (node.kind === 'characters') return 1;
  if (node.kind === 'repeat') return node.least * leastMade(node.of);
  const lengths = node.of.map(leastMade);
  if (node.kind === 'choice') return lengths.reduce((most, each) => Math.max(most, each), 0);
  return lengths.reduce((sum, each) => sum + each, 0);
}

function makeMatching(pattern: string): readonly string[] {
  try {
    const expression = compilePattern(pattern);
    if (isLengthy(expression)) return [];
    const wider = withoutLookArounds(expression.source);
    const made = wider === expression.source ? expression : new RegExp(wider, expression.flags);
    const texts = sample(stringMatching(made), { seed: 1, numRuns: 50 });
    const plain = (text: string) => /^[A-Za-z0-9._/:-]+$/.test(text);
    return texts.toSorted((a, b) => Number(plain(b)) - Number(plain(a)) || a.length - b.length);
  } catch {
    // No regular expression, or one with features that only a matcher understands.
    return [];
  }
}
