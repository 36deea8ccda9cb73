import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProviderAuth } from '../../../../generated/surfaces/observability/types.ts';

/** Where credentials of back ends may come from. */
export interface SecretRules {
  /** Beginnings of the names of variables. */
  readonly prefixes: readonly string[];
  readonly secretsDir: string | undefined;
}

/** Most characters of a credential. */
const longestSecret = 16_384;

/**
 * The header with which the server proves who it is at a back end; nothing where it has to prove
 * nothing. The caller has checked the auth when it was registered, and the rules may be others since.
 *
 * @throws Error without the credential, where there is none
 */
export async function credentialHeader(
  { type, env, secretRef, header }: ProviderAuth,
  { prefixes, secretsDir }: SecretRules,
  secretOf: (variable: string) => string | undefined,
): Promise<Readonly<Record<string, string>>> {
  if (type === 'none') return {};
  const isPermitted = prefixes.some((prefix) => env?.startsWith(prefix));
  const value =
    env === undefined ? await readHeld(secretRef, secretsDir) : isPermitted && secretOf(env);
  if (!value) {
    throw new Error(`the credential ${env ?? secretRef} is not set`);
  }
  if (value.length > longestSecret || /[^\t\x20-\x7e]/.test(value)) {
    throw new Error(`the credential ${env ?? secretRef} is nothing that a header can carry`);
  }
  return { [header?.toLowerCase() ?? 'authorization']: `${schemes[type]}${value}` };
}

/** What stands before the credential in the header. */
export const schemes = { basic: 'Basic ', bearer: 'Bearer ', header: '' } as const;

async function readHeld(name: string | undefined, folder: string | undefined) {
  if (name === undefined || folder === undefined) return undefined;
  return (await readFile(join(folder, name), 'utf8')).trim();
}
