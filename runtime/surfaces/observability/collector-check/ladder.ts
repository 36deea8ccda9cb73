import { basename } from 'node:path';
import { ServiceError } from '#contract/errors';
import type { BackEnds } from '#contract/house/outbound';
import { OutboundError } from '#contract/house/outbound';
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
  readonly backEnds: Pick<BackEnds, 'check'>;
}

/** Who has looked at a file last. */
export type Validator = string;

/**
 * Check a file, the cheap steps first: what its parts say of each other, each component, where it
 * leads now, its credentials, and at last the collector itself where there is one.
 *
 * @throws ServiceError `validation_failed`
 */
export async function validateFile(
  generated: GeneratedFile,
  { options, binary, backEnds }: LadderParts,
): Promise<Validator> {
  const findings = checkFile(generated, options);
  if (findings.length > 0) throw validationFailed(findings);
  const refused = await checkAddresses(generated, backEnds);
  if (refused.length > 0) throw validationFailed(refused);
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

/** What a name leads to may have changed since it was registered. */
async function checkAddresses(
  { providers, addresses }: GeneratedFile,
  backEnds: LadderParts['backEnds'],
): Promise<readonly Finding[]> {
  const found = await Promise.all(
    providers.map(async (entry, index): Promise<readonly Finding[]> => {
      const at = `${entry.signal}/${entry.id}`;
      const named = await Promise.all(
        (['endpoint', 'otlpEndpoint', 'pushUrl'] as const).map((field) =>
          refusalOf(backEnds, `${at}.${field}`, entry[field]),
        ),
      );
      if (named.flat().length > 0) return named.flat();
      // What the kind makes of its endpoint may be another host or port.
      const sentTo = addresses[index];
      if (sentTo === undefined || !URL.canParse(sentTo)) return [];
      const refused = await refusalOf(backEnds, at, sentTo);
      return refused.map(({ field, reason }) => ({ field, reason: `${reason} (${sentTo})` }));
    }),
  );
  return found.flat();
}

async function refusalOf(
  backEnds: LadderParts['backEnds'],
  field: string,
  url: string | undefined,
): Promise<readonly Finding[]> {
  if (url === undefined) return [];
  try {
    await backEnds.check(url);
    return [];
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A name without an address now is a matter of health, and no reason to stop all others.
    if (error.fault !== 'refused') return [];
    return [{ field, reason: error.message }];
  }
}
