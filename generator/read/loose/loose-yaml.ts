import type { ParsedText, TextProblem } from '../text/parsed-text.ts';
import { parseYaml } from '../text/yaml-text.ts';
import { type MendedText, toldOf } from './mended-text.ts';
import { indentQuoted, missingQuote } from './unindented-text.ts';
import { nestedMap, quoteColons } from './unquoted-text.ts';

/** What other readers take, or anybody sees how it is meant. */
const mends: readonly Mend[] = [
  {
    sign: missingQuote,
    mend: (source) => indentQuoted(source),
    told: 'the further lines of a text in quotes stand left of it: read as if indented',
  },
  {
    sign: nestedMap,
    mend: quoteColons,
    told: 'a text without quotes has a colon and a blank in it: read as if it stood in quotes',
  },
];

interface Mend {
  /** How the parser tells of it. */
  readonly sign: RegExp;
  readonly mend: (source: string, found: readonly number[]) => MendedText | undefined;
  readonly told: string;
}

/** What is mended may show others. */
const mostRounds = 10;

/** Parse YAML, and where it is none, what it is clearly meant to be; as it is written where that is not clear. */
export function parseLooseYaml(source: string): ParsedText {
  const strict = parseYaml(source);
  const mended = strict.value === undefined ? mendYaml(source, strict) : undefined;
  if (mended === undefined) return strict;
  const { parsed, places, written } = mended;
  const told = Array.from(places, ([{ told: what }, offsets]) => toldOf(what, offsets));
  return {
    value: parsed.value,
    problems: [...told, ...parsed.problems.map((problem) => writtenProblem(problem, written))],
    offsetOf: (path) => written(parsed.offsetOf(path)),
  };
}

/** A text that is no YAML as it is clearly meant to be; nothing where that is not clear. */
export function mendYaml(source: string, strict = parseYaml(source)) {
  const places = new Map<Mend, number[]>();
  let text = source;
  let parsed = strict;
  let written = (offset: number) => offset;
  for (let round = 0; parsed.value === undefined && round < mostRounds; round++) {
    const found = mendedText(text, [...parsed.problems, ...(parsed.untold ?? [])]);
    if (found === undefined) return undefined;
    const before = written;
    places.set(found.mend, [...(places.get(found.mend) ?? []), ...found.offsets.map(before)]);
    text = found.text;
    written = (offset) => before(found.written(offset));
    parsed = parseYaml(text);
  }
  return parsed.value === undefined ? undefined : { text, parsed, places, written };
}

function mendedText(text: string, problems: readonly TextProblem[]) {
  for (const mend of mends) {
    const found = problems.filter(({ message }) => mend.sign.test(message));
    const offsets = found.map(({ offset }) => offset);
    const mended = found.length > 0 ? mend.mend(text, offsets) : undefined;
    if (mended) return { ...mended, mend };
  }
  return undefined;
}

/** A problem of a mended text where it stands in the one that is written. */
function writtenProblem(problem: TextProblem, written: (offset: number) => number): TextProblem {
  const { first } = problem;
  const opened = first && { first: { ...first, offset: written(first.offset) } };
  return { ...problem, offset: written(problem.offset), ...opened };
}
