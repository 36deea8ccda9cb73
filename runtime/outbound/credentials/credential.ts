import type { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { Provider, ProviderScheme } from '#contract/provider';
import { isSecretVariable } from '#contract/secret-values';
import type { Environment } from '../call/options.ts';
import { fillTemplate } from '../connection/template.ts';
import { companionsOf, variablesOf } from './companions.ts';
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
  /** With what has to come along. */
  const complete = (wire: WireCredential, scheme?: ProviderScheme): Credential => {
    const given = Object.keys(wire.headers);
    const companions = [...companionsOf(provider, given), ...companionsOf(scheme ?? {})];
    const unset = companions.filter((name) => !env[name]);
    if (unset.length > 0) return { ...absent, state: 'missing', variables: [], besides: unset };
    const { headers, query } = withCompanions(wire, scheme, owner);
    const secrets = [...wire.secrets, ...companions.flatMap((name) => secretIn(name, env))];
    return { headers, query, secrets, state: 'set', variables };
  };
  if (given !== undefined) return complete(fromAuthJson(given, schemes[0], owner));
  for (const scheme of schemes) {
    const found = readToken(scheme.env, { provider, env });
    if (found === undefined) continue;
    const { token, variable } = found;
    return complete(onTheWire(scheme, token, { ...owner, variable }), scheme);
  }
  const companions = [provider, ...schemes].flatMap((each) => companionsOf(each));
  const unset = [...new Set(companions)].filter((name) => !env[name]);
  const required = schemes.length > 0 && schemes.length === provider.auth.length;
  const missing = required && schemes.every((scheme) => scheme.required);
  return { ...absent, state: missing ? 'missing' : 'none', variables, besides: unset };
}

/** A credential and the keys that its scheme demands together with it, whose variables are set. */
function withCompanions(
  wire: WireCredential,
  { headers = {}, query = {} }: Partial<ProviderScheme> = {},
  owner: Owner,
): Pick<WireCredential, 'headers' | 'query'> {
  const fill = (template: string) => fillTemplate(template, { env: owner.env }).text ?? '';
  const inHeaders = Object.entries(headers).map(([name, template]) => {
    const [variable = owner.variable] = variablesOf(template);
    const value = fill(template);
    return inHeader({ ...owner, variable }, name, { value, token: value }).headers;
  });
  const inQuery = Object.entries(query).map(([name, template]) => [name, fill(template)]);
  return {
    headers: Object.assign({}, ...inHeaders, wire.headers),
    query: { ...Object.fromEntries(inQuery), ...wire.query },
  };
}

/** The value of a variable, where its name says that nobody else should see it. */
function secretIn(name: string, env: Environment): string[] {
  const value = env[name];
  return value && isSecretVariable(name) ? [value] : [];
}

/** A text that names its scheme is sent as it is, another one by the provider's first scheme. */
function fromAuthJson(
  given: unknown,
  scheme: ProviderScheme | undefined,
  owner: Owner,
): WireCredential {
  if (typeof given === 'string' && given !== '') {
    const text = filled(given, owner);
    const named = /^(?:Bearer|Token|Basic) (.+)$/s.exec(text)?.[1];
    if (named === undefined && scheme !== undefined) return onTheWire(scheme, text, owner);
    const value = named === undefined ? `Bearer ${text}` : text;
    return inHeader(owner, 'authorization', { value, token: named ?? text });
  }
  if (isObject(given)) return fromHeaders(given, owner);
  throw notACredential(owner);
}

/** With the values of the variables that it names, so that the text itself need hold no secret. */
function filled(text: string, owner: Owner): string {
  const { text: all, missing } = fillTemplate(text, { env: owner.env });
  if (all !== undefined) return all;
  throw unusable(owner, {
    reason: `its entry in SERVICE_PROVIDER_AUTH_JSON names {env:${missing}}, which is not set`,
    expected: `a value of ${missing}, which the entry of ${owner.provider.id} names`,
  });
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
  for (const [name, told] of Object.entries(given)) {
    if (typeof told !== 'string') throw notACredential(owner);
    const value = filled(told, owner);
    // Behind the name of a scheme stands what is secret.
    const wire = inHeader(owner, name, { value, token: value.split(' ').at(-1) ?? value });
    Object.assign(headers, wire.headers);
    secrets.push(...wire.secrets);
  }
  if (secrets.length === 0) throw notACredential(owner);
  return { headers, query: {}, secrets };
}
