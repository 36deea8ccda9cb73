import { extname } from 'node:path';
import { parseJson } from './json-text.ts';
import { type ParsedFile, parseFile } from './parsed-file.ts';
import { parseYaml } from './yaml-text.ts';

/** YAML by what it begins with: generators write it into files that are called `.json`, too. */
const yamlStart = /^\uFEFF?(?:\s*#.*\n)*\s*(?:---\s|(?:openapi|swagger|info|paths)\s*:)/;

/** Read an API description or a part of one: JSON by its extension or its first character. */
export function readDescriptionFile(path: string, base: string): ParsedFile {
  return parseFile(path, base, (text) => (isJson(path, text) ? parseJson : parseYaml)(text));
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
