import { readFileSync } from 'node:fs';
import { isObject } from '#contract/json';
import type { Provider } from '#contract/provider';
import type { Environment } from '../call/options.ts';
import {
  inHeader,
  type Owner,
  onTheWire,
  type Scheme,
  unusable,
  type WireCredential,
} from './wire-credential.ts';

/** A provider's credential, if it has one. */
export interface Credential extends WireCredential {
  /** `none`: the provider wants none, or works without the optional one that is not set. */
  readonly state: 'none' | 'set' | 'missing';
  /** The variables that would set it. */
  readonly variables: readonly string[];
}

/** No credential at all. */
export const absent: WireCredential = { headers: {}, query: {}, secrets: [] };

/**
 * Find a provider's credential: `SERVICE_PROVIDER_AUTH_JSON` first, then the variables of its
 * schemes, each also as `<NAME>_FILE`. The first scheme that has one is used.
 *
 * @throws ToolError `missing_credential` when one is set but cannot be used
 */
export function findCredential(provider: Provider, env: Environment, given: unknown): Credential {
  const owner = { provider, env };
  const schemes = provider.auth.filter((scheme) => scheme.type !== 'none');
  const variables = [...new Set(schemes.flatMap((scheme) => scheme.env))];
  if (given !== undefined) {
    return { ...fromAuthJson(given, schemes[0], owner), state: 'set', variables };
  }
  for (const scheme of schemes) {
    const token = readToken(scheme.env, owner);
    if (token === undefined) continue;
    return { ...onTheWire(scheme, token, owner), state: 'set', variables };
  }
  const required = schemes.length > 0 && schemes.length === provider.auth.length;
  const missing = required && schemes.every((scheme) => scheme.required);
  return { ...absent, state: missing ? 'missing' : 'none', variables };
}

/** A text that names its scheme is sent as it is, another one by the provider's first scheme. */
function fromAuthJson(given: unknown, scheme: Scheme | undefined, owner: Owner): WireCredential {
  if (typeof given === 'string' && given !== '') {
    const named = /^(?:Bearer|Token|Basic) (.+)$/s.exec(given)?.[1];
    if (named === undefined && scheme !== undefined) return onTheWire(scheme, given, owner);
    const value = named === undefined ? `Bearer ${given}` : given;
    return inHeader(owner, 'authorization', { value, token: named ?? given });
  }
  if (isObject(given)) return fromHeaders(given, owner);
  throw unusable(owner.provider, notACredential);
}

const notACredential = 'its entry in SERVICE_PROVIDER_AUTH_JSON must be a text or headers';

function fromHeaders(given: Record<string, unknown>, owner: Owner): WireCredential {
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw unusable(owner.provider, notACredential);
    // Behind the name of a scheme stands what is secret.
    const wire = inHeader(owner, name, { value, token: value.split(' ').at(-1) ?? value });
    Object.assign(headers, wire.headers);
    secrets.push(...wire.secrets);
  }
  return { headers, query: {}, secrets };
}

function readToken(names: readonly string[], { provider, env }: Owner): string | undefined {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value !== undefined && value !== '') return value;
    const file = env[`${name}_FILE`];
    if (file !== undefined && file !== '') return readSecretFile(provider, `${name}_FILE`, file);
  }
  return undefined;
}

function readSecretFile(provider: Provider, variable: string, file: string): string {
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (token !== '') return token;
  } catch (cause) {
    throw unusable(provider, `the file that ${variable} names cannot be read`, cause);
  }
  throw unusable(provider, `the file that ${variable} names is empty`);
}
