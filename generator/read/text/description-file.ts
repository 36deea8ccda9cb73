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
  return parseFile(path, base, (text) => (isJson(path, text) ? parseJson : parseLoosely)(text));
}

/** Parse YAML, and where texts in quotes are not indented, as most readers take them. */
function parseLoosely(source: string): ParsedText {
  const strict = parseYaml(source);
  if (!strict.problems.some(({ message }) => missingQuote.test(message))) return strict;
  const indented = indentQuoted(source);
  if (indented === undefined) return strict;
  const parsed = parseYaml(indented.text);
  if (parsed.value === undefined) return strict;
  const problems = indented.offsets.map((offset): TextProblem => {
    const message = 'the further lines of a text in quotes stand left of it: read as if indented';
    return { code: 'SPEC002', severity: 'warning', offset, path: [], message };
  });
  return { ...parsed, problems: [...problems, ...parsed.problems] };
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
