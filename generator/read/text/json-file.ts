import { parseJson } from './json-text.ts';
import { type ParsedFile, parseFile } from './parsed-file.ts';

/** Read a JSON file of the house, with the position of every node by its JSON pointer. */
export function readJson(file: string, base: string): ParsedFile {
  return parseFile(file, base, parseJson);
}
