import { stringify } from 'yaml';
import type { CollectorFile } from './file.ts';

/** Grows when the same registry gives another file than before. */
const generatorVersion = 1;

/** The text of a file; what stands in it was made in a fixed order. */
export function collectorYaml(file: CollectorFile, registry: string): string {
  const body = stringify(file, {
    aliasDuplicateObjects: false,
    defaultKeyType: 'PLAIN',
    defaultStringType: 'QUOTE_DOUBLE',
    lineWidth: 0,
  });
  return `# generated: do not edit. registry sha256:${registry} generator:${generatorVersion}\n${body}`;
}
