import type { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { Provider, ProviderScheme } from '#contract/provider';
import type { Environment } from '../call/options.ts';
import { companionsOf } from './companions.ts';
import { readToken } from './token.ts';
import {
  inHeader,
  type Owner,
  onTheWire,
  unusable,
  type WireCredential,
} from './wire-credential.ts';

/** A provider's credential, if it has one. */
export interface Credential extends WireCredential {
  /** `none`: the provider wants none, or works without the optional one that is not set. */
  readonly state: 'none' | 'set' | 'missing';
  /** The variables of which one would set it; none where one does. */
  readonly variables: readonly string[];
  /** The variables that have to be set with it, and are not. */
  readonly besides?: readonly string[];
}

/** No credential at all. */
export const absent: WireCredential = { headers: {}, query: {}, secrets: [] };

/**
 * Find a provider's credential: `SERVICE_PROVIDER_AUTH_JSON` first, then the variables of its
 * schemes, each also as `<NAME>_FILE`. The first scheme that has one is used, once the variables of
 * what has to come with it are set.
 *
 * @throws ToolError `missing_credential` when one is set but cannot be used
 */
export function findCredential(provider: Provider, env: Environment, given: unknown): Credential {
  const owner = { provider, env, variable: 'SERVICE_PROVIDER_AUTH_JSON' };
  const schemes = provider.auth.filter((scheme) => scheme.type !== 'none');
  const variables = [...new Set(schemes.flatMap((scheme) => scheme.env))];
  const companions = companionsOf(provider);
  const unset = companions.filter((name) => !env[name]);
  if (given !== undefined) {
    return { ...fromAuthJson(given, schemes[0], owner), state: 'set', variables };
  }
  for (const scheme of schemes) {
    const found = readToken(scheme.env, { provider, env });
    if (found === undefined) continue;
    const { token, variable } = found;
    const wire = onTheWire(scheme, token, { ...owner, variable });
    if (unset.length > 0) return { ...absent, state: 'missing', variables: [], besides: unset };
    const secrets = [...wire.secrets, ...companions.flatMap((name) => secretIn(name, env))];
    return { ...wire, secrets, state: 'set', variables };
  }
  const required = schemes.length > 0 && schemes.length === provider.auth.length;
  const missing = required && schemes.every((scheme) => scheme.required);
  return { ...absent, state: missing ? 'missing' : 'none', variables, besides: unset };
}

/** The value of a variable, where its name says that nobody else should see it. */
function secretIn(name: string, env: Environment): string[] {
  const value = env[name];
  return value && /KEY|SECRET|TOKEN|PASS/.test(name) ? [value] : [];
}

/** A text that names its scheme is sent as it is, another one by the provider's first scheme. */
function fromAuthJson(
  given: unknown,
  scheme: ProviderScheme | undefined,
  owner: Owner,
): WireCredential {
  if (typeof given === 'string' && given !== '') {
    const named = /^(?:Bearer|Token|Basic) (.+)$/s.exec(given)?.[1];
    if (named === undefined && scheme !== undefined) return onTheWire(scheme, given, owner);
    const value = named === undefined ? `Bearer ${given}` : given;
    return inHeader(owner, 'authorization', { value, token: named ?? given });
  }
  if (isObject(given)) return fromHeaders(given, owner);
  throw notACredential(owner);
}

function notACredential(owner: Owner): ToolError {
  return unusable(owner, {
    reason: 'its entry in SERVICE_PROVIDER_AUTH_JSON must be a text or headers',
    expected: `a text or headers for ${owner.provider.id}`,
  });
}

function fromHeaders(given: Record<string, unknown>, owner: Owner): WireCredential {
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw notACredential(owner);
    // Behind the name of a scheme stands what is secret.
    const wire = inHeader(owner, name, { value, token: value.split(' ').at(-1) ?? value });
    Object.assign(headers, wire.headers);
    secrets.push(...wire.secrets);
  }
  if (secrets.length === 0) throw notACredential(owner);
  return { headers, query: {}, secrets };
}
