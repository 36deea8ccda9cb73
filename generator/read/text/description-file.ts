import { extname } from 'node:path';
import { parseLooseJson } from '../loose/loose-json.ts';
import { parseLooseYaml } from '../loose/loose-yaml.ts';
import { type ParsedFile, parseFile } from './parsed-file.ts';

/** YAML by what it begins with: generators write it into files that are called `.json`, too. */
const yamlStart = /^\uFEFF?(?:\s*#.*\n)*\s*(?:---\s|(?:openapi|swagger|info|paths)\s*:)/;

/** Read an API description or a part of one: JSON by its extension or its first character. */
export function readDescriptionFile(path: string, base: string, address?: string): ParsedFile {
  const parse = (text: string) => (isJson(path, text) ? parseLooseJson : parseLooseYaml)(text);
  return parseFile(path, base, parse, {
    isForeign: true,
    address,
  });
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
