import { type ParsedFile, parseFile } from './parsed-file.ts';
import { parseYaml } from './yaml-text.ts';

/** Read a YAML file of the house, with the position of every node by its JSON pointer. */
export function readYaml(file: string, base: string): ParsedFile {
  return parseFile(file, base, parseYaml);
}
