import type { DetachedSignature, SignatureHead } from '#contract/surface/document-signer';
import { signDetached } from '../tokens/compact-jws.ts';
import type { SigningKeys } from './signing-keys.ts';

/**
 * Sign a text with the key that signs tokens now, and say where it is published (RFC 7515 section
 * 4.1.2), where the key has no other name by which it is found.
 */
export async function signDocument(
  payload: string,
  keys: Pick<SigningKeys, 'current'>,
  jku: string,
  // No token has this type: what is signed here is taken for none.
  { typ = 'JOSE', nameKey }: SignatureHead = {},
): Promise<DetachedSignature> {
  const { kid, key } = await keys.current();
  const named = nameKey === undefined ? { kid, jku } : { kid: nameKey(kid) };
  return signDetached({ typ, ...named }, payload, key);
}
