import { findJsonError, type JsonPlace } from '../text/json-syntax.ts';
import { parseJson } from '../text/json-text.ts';
import type { ParsedText } from '../text/parsed-text.ts';
import { toldOf } from './mended-text.ts';

/** What editors let pass, and anybody sees how it is meant. */
const told = {
  comment: 'JSON has no comments: read without it',
  control: 'a control character stands in a text: read as a blank',
  missing: 'a comma is missing: read as if it stood there',
  surplus: 'a comma has nothing behind it: read without it',
} as const;

/** Written instead of as many characters, so that all places stay what they are. */
interface Edit {
  readonly kind: keyof typeof told;
  readonly at: number;
  readonly text: string;
}

/** What was mended, and where and how the walk goes on behind it. */
interface Mended {
  readonly edit: Edit;
  readonly resumed: Omit<JsonPlace, 'inside'>;
}

/** A comment as JavaScript has it; a text with its escapes, whatever else is in it; a key. */
const comment = /\/\/[^\n\r]*|\/\*[\s\S]*?\*\//y;
const anyText = /"[^"\\]*(?:\\[^\n\r][^"\\]*)*"/y;
const key = /"[^"\\]*(?:\\[^\n\r][^"\\]*)*"\s*:/y;
const control = /[^ -\u{10ffff}]/gu;

/** Parse JSON, and where it is none, what it is clearly meant to be; as it is written where that is not clear. */
export function parseLooseJson(source: string): ParsedText {
  const strict = parseJson(source);
  if (strict.value !== undefined) return strict;
  const edits = editsOf(source);
  if (edits.length === 0) return strict;
  const mended = parseJson(edited(source, edits));
  if (mended.value === undefined) return strict;
  const kinds = Map.groupBy(edits, ({ kind }) => kind);
  const warnings = Array.from(kinds, ([kind, found]) =>
    toldOf(
      told[kind],
      found.map(({ at }) => at),
    ),
  );
  return { ...mended, isPlain: false, problems: [...warnings, ...mended.problems] };
}

/** What makes JSON of a text; nothing where that is not clear. */
function editsOf(source: string): readonly Edit[] {
  const edits: Edit[] = [];
  const goOn = (place: JsonPlace) => {
    const mended = mendAt(source, place);
    if (mended === undefined) return undefined;
    edits.push(mended.edit);
    return mended.resumed;
  };
  return findJsonError(source, goOn) === undefined ? edits : [];
}

function mendAt(source: string, place: JsonPlace): Mended | undefined {
  const { offset, expected, inside, behind } = place;
  const commented = matchAt(comment, source, offset);
  if (commented !== undefined) {
    const edit: Edit = { kind: 'comment', at: offset, text: ' '.repeat(commented.length) };
    return { edit, resumed: { offset: offset + commented.length, expected, behind } };
  }
  const end = inside === '{' ? '}' : ']';
  const after = inside === undefined ? 'the end' : `"," or ${end}`;
  const isKey = expected.startsWith('a key');
  if (isKey || expected.startsWith('a value')) {
    return (
      surplusComma(source, place, end, after) ?? controls(source, offset, isKey ? '":"' : after)
    );
  }
  return expected === after ? missingComma(source, place) : undefined;
}

function surplusComma(
  source: string,
  { offset, behind, expected, inside }: JsonPlace,
  end: string,
  after: string,
): Mended | undefined {
  const isBehind = inside !== undefined && source[behind - 1] === ',' && source[offset] === end;
  const isWanted = expected === (inside === '{' ? 'a key' : 'a value');
  if (!isBehind || !isWanted) return undefined;
  return {
    edit: { kind: 'surplus', at: behind - 1, text: ' ' },
    resumed: { offset, expected: after, behind },
  };
}

function controls(source: string, offset: number, expected: string): Mended | undefined {
  const found = matchAt(anyText, source, offset);
  const text = found?.replace(control, ' ');
  if (found === undefined || text === undefined || text === found) return undefined;
  return {
    edit: { kind: 'control', at: offset, text },
    resumed: { offset: offset + found.length, expected, behind: offset + found.length },
  };
}

/** A comma goes where white space is: behind what stands before it. */
function missingComma(source: string, { offset, behind, inside }: JsonPlace): Mended | undefined {
  if (inside === undefined || !/\s/.test(source[behind] ?? '')) return undefined;
  const isNext =
    inside === '{'
      ? matchAt(key, source, offset) !== undefined
      : /["[{]/.test(source[offset] ?? '');
  if (!isNext) return undefined;
  return {
    edit: { kind: 'missing', at: behind, text: ',' },
    resumed: { offset, expected: inside === '{' ? 'a key' : 'a value', behind },
  };
}

function matchAt(pattern: RegExp, source: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0];
}

function edited(source: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((a, b) => a.at - b.at);
  const parts: string[] = [];
  let from = 0;
  for (const { at, text } of inOrder) {
    parts.push(source.slice(from, at), text);
    from = at + text.length;
  }
  return parts.join('') + source.slice(from);
}
