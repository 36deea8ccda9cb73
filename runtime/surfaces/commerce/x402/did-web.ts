import type { JsonObject } from '#contract/json';

/** The name of whoever answers at an address (did:web, section 3): its keys are published there. */
export function didOf(base: string): string {
  const { host, pathname } = new URL(base);
  const path = pathname.split('/').filter((part) => part !== '');
  return ['did:web', ...[host, ...path].map(encodeURIComponent)].join(':');
}

/** The document behind that name, with the keys that sign offers and receipts (DID Core 1.0). */
export function didDocument(base: string, keys: readonly JsonObject[]): JsonObject {
  const id = didOf(base);
  const methods = keys.map((key) => ({
    id: `${id}#${String(key['kid'])}`,
    type: 'JsonWebKey2020',
    controller: id,
    publicKeyJwk: key,
  }));
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id: method }) => method),
  };
}
