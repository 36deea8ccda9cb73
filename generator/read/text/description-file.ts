import { extname } from 'node:path';
import { parseJson } from './json-text.ts';
import { type ParsedFile, parseFile } from './parsed-file.ts';
import { parseYaml } from './yaml-text.ts';

/** Read an API description or a part of one: JSON by its extension or its first character. */
export function readDescriptionFile(path: string, base: string): ParsedFile {
  return parseFile(path, base, (text) => (isJson(path, text) ? parseJson : parseYaml)(text));
}

function isJson(path: string, text: string): boolean {
  switch (extname(path).toLowerCase()) {
    case '.json':
      return true;
    case '.yaml':
    case '.yml':
      return false;
    default:
      return /^\s*[{[]/.test(text);
  }
}
