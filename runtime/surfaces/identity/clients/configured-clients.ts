import { ConfigError } from '#contract/config/config';
import { isObject } from '#contract/json';
import { secretHash } from '../secrets/secret.ts';
import type { OAuthClient } from './client.ts';
import { digestOf, MetadataError, parseMetadata } from './client-metadata.ts';

const variable = 'SERVICE_OAUTH_CLIENTS';
const leastSecret = 16;

/**
 * Read the clients that the operator names: a JSON array of metadata (RFC 7591), each with its
 * `client_id` and perhaps `client_secret`.
 *
 * @throws ConfigError
 */
export function parseConfiguredClients(text: string | undefined): ReadonlyMap<string, OAuthClient> {
  const clients = new Map<string, OAuthClient>();
  if (text === undefined) return clients;
  const list = parseList(text);
  list.forEach((members, index) => {
    const client = readClient(members, index);
    if (clients.has(client.id)) fail(`one client for each client_id, but ${client.id} comes twice`);
    clients.set(client.id, client);
  });
  return clients;
}

function parseList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // Told below, without what it holds.
  }
  return fail('a JSON array of clients, each with client_id');
}

function readClient(members: unknown, index: number): OAuthClient {
  const place = `at place ${index}`;
  if (!isObject(members)) return fail(`an object ${place}`);
  const { client_id: id, client_secret: secret } = members;
  if (typeof id !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(id) || id.startsWith('https://')) {
    return fail(`a client_id ${place}: up to 200 visible ASCII characters, no https address`);
  }
  if (secret !== undefined && (typeof secret !== 'string' || secret.length < leastSecret)) {
    return fail(`a client_secret of at least ${leastSecret} characters for ${id}, or none`);
  }
  try {
    const defaultMethod = secret === undefined ? 'none' : 'client_secret_basic';
    const metadata = parseMetadata(members, {
      defaultMethod,
      needsRedirect: false,
      ignoresOthers: false,
      limitsScope: true,
    });
    if (metadata.method.startsWith('client_secret') && secret === undefined) {
      return fail(`a client_secret for ${id}, which proves itself with one`);
    }
    const hash = secret === undefined ? '' : secretHash(secret);
    return {
      ...metadata,
      id,
      kind: 'configured',
      secretHash: hash,
      digest: digestOf(metadata, hash),
    };
  } catch (error) {
    if (error instanceof MetadataError) return fail(`a usable client ${id}: ${error.message}`);
    throw error;
  }
}

/** Says what was expected, never what came: there are secrets in it. */
function fail(expected: string): never {
  throw new ConfigError([{ variable, expected }]);
}
