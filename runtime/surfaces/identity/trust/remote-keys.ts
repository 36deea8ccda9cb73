import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import type { Outbound, StrangerDocument } from '#contract/house/outbound';
import {
  keySetBytes,
  keySetFailureMs,
  keySetKeepMs,
  leastBetweenKeySetsMs,
  mostKeysOfSet,
} from '../numbers.ts';

/** Finds the key that a token of somebody else names. */
export type FindKey = JWTVerifyGetKey;

/**
 * The keys that stand behind a URL. A key that is not among those at hand makes them be fetched
 * again, though not more often than every half minute.
 */
export function remoteKeys(outbound: Outbound, url: string, now: () => number): FindKey {
  const rules = { maxBytes: keySetBytes, keepMs: keySetKeepMs, failureMs: keySetFailureMs };
  return async (header, token) => {
    const { errors } = await import('jose');
    const known = await outbound.document(url, rules);
    const find = await finderOf(known);
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const since = now() - leastBetweenKeySetsMs;
      if (known.fetchedAt > since) throw error;
      return await (await finderOf(await outbound.document(url, { ...rules, since })))(
        header,
        token,
      );
    }
  };
}

/** Keys that are at hand. */
export function givenKeys(keys: JSONWebKeySet): FindKey {
  let finder: FindKey | undefined;
  return async (header, token) => {
    finder ??= await localFinder(keys);
    return finder(header, token);
  };
}

/** Made once for each document: importing keys is dear. */
const finders = new WeakMap<StrangerDocument, FindKey>();

async function finderOf(document: StrangerDocument): Promise<FindKey> {
  const known = finders.get(document);
  if (known) return known;
  const finder = await localFinder(parseKeySet(document.value));
  finders.set(document, finder);
  return finder;
}

async function localFinder(keys: JSONWebKeySet): Promise<FindKey> {
  const { createLocalJWKSet } = await import('jose');
  return createLocalJWKSet(keys);
}

/**
 * Read a key set (RFC 7517 section 5), of which secret keys are left out.
 *
 * @throws TypeError
 */
export function parseKeySet(value: unknown): JSONWebKeySet {
  const keys = (value as { readonly keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys) || keys.length > mostKeysOfSet) {
    throw new TypeError(`a key set has an array of at most ${mostKeysOfSet} keys`);
  }
  // A key that verifies and signs alike is no public one.
  const isPublic = (key: unknown) =>
    typeof key === 'object' && key !== null && 'kty' in key && key.kty !== 'oct';
  return { keys: keys.filter(isPublic) };
}
