import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Located } from '../texts/report.ts';

/** A name in a file, and what generated code calls it. */
export interface Named {
  readonly name: string;
  readonly identifier: string;
  /** JSON pointer into the file. */
  readonly pointer: string;
}

/**
 * Say which names become what an earlier one of the same file has become already (NAME001). The
 * same name twice is for others to say.
 */
export function checkIdentifiers(all: readonly Named[], file: Located): Diagnostic[] {
  const taken = new Map<string, Named>();
  return all.flatMap((named) => {
    const { name, identifier, pointer } = named;
    const first = taken.get(identifier);
    if (first === undefined) taken.set(identifier, named);
    if (first === undefined || first.name === name) return [];
    const message = `${first.name} and ${name} both become "${identifier}"`;
    const related = [{ ...file.locate(first.pointer), message: 'first' }];
    return [diagnose('NAME001', { ...file.locate(pointer), pointer }, message, { related })];
  });
}
