import { basename } from 'node:path';
import { ServiceError } from '#contract/errors';
import type { CollectorOptions } from '../collector/collector-options.ts';
import type { GeneratedFile } from '../collector-file/file.ts';
import { type Finding, validationFailed } from '../errors.ts';
import { validateWith } from './binary.ts';
import { checkComponents } from './components.ts';
import { checkCredentials } from './credentials.ts';
import { checkExpansions } from './expansions.ts';
import { checkStructure } from './structure.ts';

export interface LadderParts {
  readonly options: CollectorOptions;
  readonly binary: string | undefined;
}

/** Who has looked at a file last. */
export type Validator = string;

/**
 * Check a file, the cheap steps first: what its parts say of each other, each component, its
 * credentials, and at last the collector itself where there is one.
 *
 * @throws ServiceError `validation_failed`
 */
export async function validateFile(
  generated: GeneratedFile,
  { options, binary }: LadderParts,
): Promise<Validator> {
  const findings = checkFile(generated, options);
  if (findings.length > 0) throw validationFailed(findings);
  const credentials = await checkCredentials(generated.providers, options.secretsDir);
  if (credentials.findings.length > 0) throw validationFailed(credentials.findings);
  if (binary === undefined) return 'structure';
  const { ok, said } = await validateWith(binary, generated.text);
  if (ok) return basename(binary);
  throw new ServiceError('validation_failed', 422, `the collector refuses the file: ${said}`, {
    detail: { details: [{ field: 'file', reason: said }], validator: basename(binary) },
  });
}

/** Everything that can be said without asking anybody. */
export function checkFile(
  { file }: Pick<GeneratedFile, 'file'>,
  options: CollectorOptions,
): readonly Finding[] {
  return [...checkStructure(file), ...checkExpansions(file, options), ...checkComponents(file)];
}
