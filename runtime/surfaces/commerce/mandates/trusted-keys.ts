import type { JWK } from 'jose';
import type { Outbound } from '#contract/house/outbound';
import { isObject } from '#contract/json';
import { mostProfileBytes, profileMs } from '../numbers.ts';

/** Finds keys of those whose mandates are believed, in the documents in which they publish them. */
export function trustedKeys(issuers: readonly string[], outbound: Outbound) {
  return async (kid: string): Promise<JWK | undefined> => {
    if (kid === '') return undefined;
    const rules = { maxBytes: mostProfileBytes, keepMs: profileMs, failureMs: profileMs.least };
    for (const issuer of issuers) {
      // One that is away says nothing of the others.
      const found = await outbound.document(issuer, rules).catch(() => undefined);
      const keys = found?.value['keys'];
      const key = Array.isArray(keys)
        ? keys.find((each) => isObject(each) && each['kid'] === kid)
        : undefined;
      if (isObject(key) && !('d' in key)) return key as JWK;
    }
    return undefined;
  };
}
