import { readFileSync } from 'node:fs';
import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { Provider, ProviderAuth } from '#contract/provider';
import { isHeaderName, isHeaderValue } from './header-safety.ts';
import type { Environment } from './options.ts';
import { fillTemplate } from './template.ts';

/** A provider's credential in the form in which it travels; never part of a log, URL or error. */
export interface Credential {
  /** `none`: the provider wants none, or works without the optional one that is not set. */
  readonly state: 'none' | 'set' | 'missing';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Texts that must not leave this process in any other way. */
  readonly secrets: readonly string[];
  /** The variables that would set it. */
  readonly variables: readonly string[];
}

type Scheme = Exclude<ProviderAuth, { readonly type: 'none' }>;

const absent = { headers: {}, query: {}, secrets: [] } as const;

/**
 * Find a provider's credential: `SERVICE_PROVIDER_AUTH_JSON` first, then the variables of its
 * schemes, each also as `<NAME>_FILE`. The first scheme that has one is used.
 *
 * @throws ToolError `missing_credential` when one is set but cannot be used
 */
export function findCredential(provider: Provider, env: Environment, given: unknown): Credential {
  const schemes = provider.auth.filter((scheme) => scheme.type !== 'none');
  const variables = [...new Set(schemes.flatMap((scheme) => scheme.env))];
  const found = given === undefined ? undefined : fromAuthJson(provider, schemes[0], given, env);
  if (found !== undefined) return { ...found, state: 'set', variables };
  for (const scheme of schemes) {
    const token = readToken(provider, scheme.env, env);
    if (token === undefined) continue;
    return { ...onTheWire(provider, scheme, token, env), state: 'set', variables };
  }
  const required = schemes.length > 0 && schemes.length === provider.auth.length;
  const missing = required && schemes.every((scheme) => scheme.required);
  return { ...absent, state: missing ? 'missing' : 'none', variables };
}

type WireCredential = Pick<Credential, 'headers' | 'query' | 'secrets'>;

function fromAuthJson(
  provider: Provider,
  scheme: Scheme | undefined,
  given: unknown,
  env: Environment,
): WireCredential {
  if (typeof given === 'string' && given !== '') {
    if (/^(Bearer|Token|Basic) /.test(given)) {
      return inHeader(provider, 'authorization', given, ...given.split(' ').slice(1));
    }
    if (scheme !== undefined) return onTheWire(provider, scheme, given, env);
    return inHeader(provider, 'authorization', `Bearer ${given}`, given);
  }
  if (isObject(given) && Object.values(given).every((value) => typeof value === 'string')) {
    const headers = Object.entries(given).map(([name, value]) =>
      inHeader(provider, name.toLowerCase(), String(value), ...String(value).split(' ')),
    );
    return {
      headers: Object.assign({}, ...headers.map((part) => part.headers)),
      query: {},
      secrets: headers.flatMap((part) => part.secrets),
    };
  }
  throw unusable(provider, `its entry in SERVICE_PROVIDER_AUTH_JSON must be a string or headers`);
}

function readToken(
  provider: Provider,
  names: readonly string[],
  env: Environment,
): string | undefined {
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

function onTheWire(
  provider: Provider,
  scheme: Scheme,
  token: string,
  env: Environment,
): WireCredential {
  switch (scheme.type) {
    case 'bearer':
      return inHeader(provider, 'authorization', `Bearer ${token}`, token);
    case 'basic': {
      const pair = fillFormat(provider, scheme.format, token, env);
      const encoded = Buffer.from(pair).toString('base64');
      return inHeader(provider, 'authorization', `Basic ${encoded}`, token, encoded);
    }
    case 'api_key': {
      const value = fillFormat(provider, scheme.format, token, env);
      if (scheme.in === 'header')
        return inHeader(provider, scheme.name.toLowerCase(), value, token);
      if (scheme.in === 'cookie') {
        return inHeader(provider, 'cookie', `${scheme.name}=${value}`, value, token);
      }
      return { headers: {}, query: { [scheme.name]: value }, secrets: [value, token] };
    }
    default:
      return scheme satisfies never;
  }
}

function fillFormat(provider: Provider, format: string, token: string, env: Environment): string {
  const filled = fillTemplate(format, { env, words: { token } });
  if (filled.text !== undefined) return filled.text;
  throw unusable(provider, `${filled.missing} must be set too`);
}

function inHeader(
  provider: Provider,
  name: string,
  value: string,
  ...secrets: readonly string[]
): WireCredential {
  if (!isHeaderName(name)) throw unusable(provider, 'it names a header that cannot be sent');
  if (isHeaderValue(value)) {
    return { headers: { [name]: value }, query: {}, secrets: [value, ...secrets] };
  }
  throw unusable(provider, 'it holds characters that a header cannot carry');
}

function unusable(provider: Provider, reason: string, cause?: unknown): ToolError {
  return new ToolError(
    'missing_credential',
    `the credential of ${provider.title} cannot be used: ${reason}`,
    { provider: provider.id, retryable: false },
    cause,
  );
}
