import { join, resolve, sep } from 'node:path';
import { defaultTenant } from '#contract/tenant/tenants';
import type {
  ProviderAuth,
  ProviderTls,
} from '../../../../generated/surfaces/observability/types.ts';
import { readCredential } from './credential-file.ts';

/** Where credentials of back ends may come from. */
export interface SecretRules {
  /** Beginnings of the names of variables. */
  readonly prefixes: readonly string[];
  readonly secretsDir: string | undefined;
}

/** The same for one tenant. */
export interface TenantSecrets extends SecretRules {
  /** Whether files of TLS lie anywhere, and not in the folder of secrets alone. */
  readonly anyFile: boolean;
}

/**
 * What a tenant may have sent to its back ends. The variables, the files of the folder and the
 * certificates are those of the server, so of its own tenant; any other has the folder of its name in
 * the folder of secrets, or it could have the server's credentials sent to itself.
 */
export function secretsOf(rules: SecretRules, tenant: string): TenantSecrets {
  if (tenant === defaultTenant) return { ...rules, anyFile: true };
  const { secretsDir } = rules;
  const own = secretsDir === undefined ? undefined : join(secretsDir, tenant);
  return { prefixes: [], secretsDir: own, anyFile: false };
}

/** Names of the files of TLS that are none of a tenant's. */
export function strangeFiles(
  tls: ProviderTls,
  { secretsDir, anyFile }: TenantSecrets,
): readonly ('caFile' | 'certFile' | 'keyFile')[] {
  if (anyFile) return [];
  return (['caFile', 'certFile', 'keyFile'] as const).filter((name) => {
    const path = tls[name];
    if (path === undefined) return false;
    return secretsDir === undefined || !resolve(path).startsWith(`${resolve(secretsDir)}${sep}`);
  });
}

/** Most characters of a credential. */
export const longestSecret = 16_384;

/** Everything that a header carries (RFC 9110 section 5.5), but for what is no ASCII. */
export const headerValue = /^[\t\x20-\x7e]+$/;

/**
 * What the server proves with who it is at a back end; nothing where it has to prove nothing. The caller
 * has checked the auth when it was registered, and the rules may be others since.
 *
 * @throws Error without the credential, where there is none
 */
export async function readSecret(
  { type, env, secretRef }: ProviderAuth,
  { prefixes, secretsDir }: SecretRules,
  secretOf: (variable: string) => string | undefined,
): Promise<string | undefined> {
  if (type === 'none') return undefined;
  const isPermitted = prefixes.some((prefix) => env?.startsWith(prefix));
  const value =
    env === undefined ? await readHeld(secretRef, secretsDir) : isPermitted && secretOf(env);
  if (!value) {
    throw new Error(`the credential ${env ?? secretRef} is not set`);
  }
  if (value.length > longestSecret || !headerValue.test(value)) {
    throw new Error(`the credential ${env ?? secretRef} is nothing that a header can carry`);
  }
  return value;
}

/** The header that carries a credential. */
export function headerWith(
  { type, header }: ProviderAuth,
  credential: string,
): Readonly<Record<string, string>> {
  const scheme = type === 'none' ? '' : schemes[type];
  return { [header?.toLowerCase() ?? 'authorization']: `${scheme}${credential}` };
}

/** What stands before the credential in the header. */
export const schemes = { basic: 'Basic ', bearer: 'Bearer ', header: '' } as const;

async function readHeld(name: string | undefined, folder: string | undefined) {
  if (name === undefined || folder === undefined) return undefined;
  return (await readCredential(join(folder, name), longestSecret)).trim();
}
