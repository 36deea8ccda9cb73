import { join } from 'node:path';
import { readCredential } from '../endpoints/credential-file.ts';
import { headerValue, longestSecret } from '../endpoints/secrets.ts';
import type { Finding } from '../errors.ts';
import type { ProviderEntry } from '../registry/provider-entry.ts';

/** What is wrong with the credentials that the collector reads from files. */
export interface CredentialFaults {
  /** With which it would not start, or would drop all that it has for a back end. */
  readonly findings: readonly Finding[];
  /** What cannot be told from here. */
  readonly warnings: readonly string[];
}

/**
 * Look at the files that a collector takes credentials from: it sends what is in them as it is, where
 * this server leaves out the newline at the end.
 *
 * @param secretsDir the folder of secrets, at the path that the collector has it at
 */
export async function checkCredentials(
  providers: readonly ProviderEntry[],
  secretsDir: string | undefined,
): Promise<CredentialFaults> {
  const looks = await Promise.all(
    providers.map(async ({ signal, id, query, auth: { type, secretRef } }) => {
      if (type === 'none' || secretRef === undefined || secretsDir === undefined) return [];
      const field = `${signal}/${id}`;
      const fault = await faultOf(join(secretsDir, secretRef));
      if (fault === undefined) return [];
      const reason = `the credential ${secretRef} ${fault.reason}`;
      // What this server needs itself it can read; another file may be the collector's alone.
      return [{ field, reason, isCertain: fault.isCertain || query }];
    }),
  );
  const faults = looks.flat();
  return {
    findings: faults.flatMap(({ field, reason, isCertain }) =>
      isCertain ? [{ field, reason }] : [],
    ),
    warnings: faults.flatMap(({ field, reason, isCertain }) =>
      isCertain ? [] : [`${field}: ${reason}`],
    ),
  };
}

async function faultOf(
  path: string,
): Promise<{ readonly reason: string; readonly isCertain: boolean } | undefined> {
  try {
    const text = await readCredential(path, longestSecret);
    const reason = wrongWith(text);
    return reason === undefined ? undefined : { reason, isCertain: true };
  } catch (error) {
    const isThere = !(error instanceof Error && 'code' in error);
    if (isThere) return { reason: 'is no regular file of its size', isCertain: true };
    return { reason: 'is no file that can be read here', isCertain: false };
  }
}

function wrongWith(text: string): string | undefined {
  if (text === '') return 'is empty';
  if (text.length <= longestSecret && headerValue.test(text)) return undefined;
  return headerValue.test(text.trim())
    ? 'ends in a newline, which the collector sends along: write it without one, as printf %s does'
    : 'is nothing that a header can carry';
}
