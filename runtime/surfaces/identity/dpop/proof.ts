import { hash } from 'node:crypto';
import type { JWK, JWTPayload } from 'jose';
import type { Arrival } from '#contract/arrival';
import type { Addresses } from '../addresses.ts';
import { proofMemoryMs, proofSkewMs } from '../numbers.ts';
import type { SeenIdRecords } from '../records/seen-ids.ts';

/** Why a proof is refused, in words for whoever sends it. */
export class InvalidProof extends Error {}

export interface ProofParts {
  readonly addresses: Addresses;
  readonly seen: SeenIdRecords;
  readonly now: () => number;
}

export const proofAlgorithms: readonly string[] = ['ES256', 'EdDSA'];
const longest = 8192;
const secretMembers = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi'];

/**
 * Check the proof that a request brings along (RFC 9449 section 4.3); gives the thumbprint of its
 * key, nothing where it brings none.
 *
 * @param token the access token that it has to belong to, where there is one
 * @throws InvalidProof
 */
export async function readProof(
  arrival: Arrival,
  { addresses, seen, now }: ProofParts,
  token?: string,
): Promise<string | undefined> {
  const { dpop: proof } = arrival.headers;
  if (proof === undefined) return undefined;
  if (typeof proof !== 'string' || proof.length > longest || proof.includes(',')) {
    throw new InvalidProof('there has to be one proof, in compact form');
  }
  const { key, payload } = await verified(proof, now());
  const { jti, iat, htm, htu, ath, content_digest: digest } = payload;
  if (typeof jti !== 'string' || jti === '' || jti.length > 256)
    throw new InvalidProof('it has no jti');
  if (typeof iat !== 'number' || Math.abs(iat * 1000 - now()) > proofSkewMs) {
    throw new InvalidProof('its iat is too far from now');
  }
  if (htm !== arrival.method) throw new InvalidProof('its htm is another method');
  if (!isSameTarget(htu, addresses.url(arrival.url)))
    throw new InvalidProof('its htu is another URL');
  if (token !== undefined && ath !== hash('sha256', token, 'base64url')) {
    throw new InvalidProof('its ath is not the hash of the token');
  }
  if (digest !== undefined && !(await isOfBody(digest, arrival)))
    throw new InvalidProof('its content_digest is not the sha-256 of the body');
  const { calculateJwkThumbprint } = await import('jose');
  const thumbprint = await calculateJwkThumbprint(key);
  const until = now() + proofMemoryMs;
  if (!(await seen.use(`dpop ${thumbprint}`, jti, until)))
    throw new InvalidProof('it was used before');
  return thumbprint;
}

async function verified(proof: string, now: number): Promise<{ key: JWK; payload: JWTPayload }> {
  const { EmbeddedJWK, errors, jwtVerify } = await import('jose');
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...proofAlgorithms],
      currentDate: new Date(now),
      clockTolerance: proofSkewMs / 1000,
    });
    const { jwk: key, crit } = protectedHeader;
    if (!key || crit !== undefined) throw new InvalidProof('its header is not that of a proof');
    if (secretMembers.some((name) => Object.hasOwn(key, name))) {
      throw new InvalidProof('its key is a private one');
    }
    return { key, payload };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      throw new InvalidProof('it is no proof that this server can check');
    }
    throw error;
  }
}

/** Whether a digest is that of the body, as `sha-256=:<base64>:` (RFC 9530 section 2); others are not known. */
async function isOfBody(digest: unknown, arrival: Arrival): Promise<boolean> {
  const members = typeof digest === 'string' ? digest.split(',').map((each) => each.trim()) : [];
  const given = members.find((each) => each.startsWith('sha-256='));
  return given !== undefined && given === `sha-256=:${await arrival.bodyDigest?.()}:`;
}

/** Without query and fragment, and written as URLs are (RFC 9449 section 4.3, RFC 3986 section 6). */
function isSameTarget(htu: unknown, target: string): boolean {
  const told = typeof htu === 'string' ? URL.parse(htu) : null;
  const here = URL.parse(target);
  return (
    told !== null && here !== null && told.origin === here.origin && told.pathname === here.pathname
  );
}
