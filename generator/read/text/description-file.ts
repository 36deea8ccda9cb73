import { extname } from 'node:path';
import { indentQuoted, missingQuote } from '../loose/unindented-text.ts';
import { parseJson } from './json-text.ts';
import { type ParsedFile, parseFile } from './parsed-file.ts';
import type { ParsedText, TextProblem } from './parsed-text.ts';
import { parseYaml } from './yaml-text.ts';

/** YAML by what it begins with: generators write it into files that are called `.json`, too. */
const yamlStart = /^\uFEFF?(?:\s*#.*\n)*\s*(?:---\s|(?:openapi|swagger|info|paths)\s*:)/;

/** Read an API description or a part of one: JSON by its extension or its first character. */
export function readDescriptionFile(path: string, base: string): ParsedFile {
  const parse = (text: string) => (isJson(path, text) ? parseJson : parseLoosely)(text);
  return parseFile(path, base, parse, { isForeign: true });
}

/** Parse YAML, and where texts in quotes are not indented, as most readers take them. */
function parseLoosely(source: string): ParsedText {
  const strict = parseYaml(source);
  if (!strict.problems.some(({ message }) => missingQuote.test(message))) return strict;
  const indented = indentQuoted(source);
  if (indented === undefined) return strict;
  const { offsets, written } = indented;
  const parsed = parseYaml(indented.text);
  const [offset] = offsets;
  if (parsed.value === undefined || offset === undefined) return strict;
  const others = offsets.length === 1 ? '' : ` (and of ${offsets.length - 1} more)`;
  const message = `the further lines of a text in quotes stand left of it: read as if indented${others}`;
  const told: TextProblem = { code: 'SPEC002', severity: 'warning', offset, path: [], message };
  const problems = parsed.problems.map((problem) => writtenProblem(problem, written));
  return {
    value: parsed.value,
    problems: [told, ...problems],
    offsetOf: (path) => written(parsed.offsetOf(path)),
  };
}

/** A problem of an indented text where it stands in the one that is written. */
function writtenProblem(problem: TextProblem, written: (offset: number) => number): TextProblem {
  const { first } = problem;
  const opened = first && { first: { ...first, offset: written(first.offset) } };
  return { ...problem, offset: written(problem.offset), ...opened };
}

function isJson(path: string, text: string): boolean {
  switch (extname(path).toLowerCase()) {
    case '.json':
      return !yamlStart.test(text);
    case '.yaml':
    case '.yml':
      return false;
    default:
      return /^\s*[{[]/.test(text);
  }
}
