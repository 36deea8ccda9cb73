import type { JWK } from 'jose';
import { isObject } from '#contract/json';
import { refusedRegistration } from './register.ts';

/** The kinds of keys that a proof can be signed with here (RFC 9449 section 5.1). */
const curves: Readonly<Record<string, string>> = { 'P-256': 'EC', Ed25519: 'OKP' };

/**
 * The thumbprint of the public key to which an agent wants its tokens bound (RFC 7638).
 *
 * @throws ServiceError `invalid_request` where it is none that can be used
 */
export async function boundKey(jwk: unknown): Promise<string | undefined> {
  if (jwk === undefined) return undefined;
  const { calculateJwkThumbprint, importJWK } = await import('jose');
  const { kty, crv } = isObject(jwk) ? jwk : {};
  const isPublic = isObject(jwk) && !('d' in jwk) && !('k' in jwk);
  if (!isPublic || typeof crv !== 'string' || curves[crv] !== kty) {
    throw refused('expected a public key of EC P-256 or OKP Ed25519');
  }
  try {
    await importJWK(jwk as JWK, crv === 'P-256' ? 'ES256' : 'EdDSA');
    return await calculateJwkThumbprint(jwk as JWK);
  } catch {
    throw refused('it is no key');
  }
}

function refused(why: string) {
  return refusedRegistration('invalid_request', 400, `jwk cannot be used: ${why}`);
}
