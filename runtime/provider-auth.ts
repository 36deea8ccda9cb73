import { ConfigError } from '#contract/config';
import { isObject } from '#contract/json';
import type { ProviderRegistry } from './provider-selection.ts';

/**
 * Read `SERVICE_PROVIDER_AUTH_JSON`: a credential for each of some providers.
 *
 * @throws ConfigError that repeats nothing of the text, which is a secret
 */
export function parseProviderAuth(
  text: string | undefined,
  registry: ProviderRegistry,
): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  const value = parse(text);
  const isCredential = (id: string, given: unknown) =>
    Object.hasOwn(registry, id) && (typeof given === 'string' || isObject(given));
  if (isObject(value) && Object.entries(value).every(([id, given]) => isCredential(id, given))) {
    return value;
  }
  const expected =
    'a JSON object that gives ids of providers a bearer token or an object of headers each';
  throw new ConfigError([{ variable: 'SERVICE_PROVIDER_AUTH_JSON', expected }]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
