import { ConfigError } from '#contract/config/config';
import { isObject } from '#contract/json';
import type { ProviderRegistry } from './provider-selection.ts';

const variable = 'SERVICE_PROVIDER_AUTH_JSON';

/**
 * Read `SERVICE_PROVIDER_AUTH_JSON`: a credential for each of some providers.
 *
 * @throws ConfigError that repeats nothing of the text but a wrong id: the rest is secret
 */
export function parseProviderAuth(
  text: string | undefined,
  registry: ProviderRegistry,
): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  const value = parse(text);
  if (!isObject(value)) throw wrongShape();
  for (const [id, given] of Object.entries(value)) {
    if (!Object.hasOwn(registry, id)) throw unknownId(id, Object.keys(registry));
    if (typeof given !== 'string' && !isObject(given)) throw wrongShape(` (see ${id})`);
  }
  return value;
}

function wrongShape(place = ''): ConfigError {
  const expected = `a JSON object that gives ids of providers a bearer token or an object of headers each${place}`;
  return new ConfigError([{ variable, expected }]);
}

function unknownId(id: string, ids: readonly string[]): ConfigError {
  const expected = `a JSON object whose keys are ids of providers (${ids.join(', ')})`;
  // Only what looks like an id: key and secret may have been mixed up.
  const received = /^[a-z][a-z_-]{0,31}$/.test(id) ? JSON.stringify(id) : 'another key';
  return new ConfigError([{ variable, expected, received }]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
