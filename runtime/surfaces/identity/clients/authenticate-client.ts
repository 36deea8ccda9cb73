import type { JWTPayload } from 'jose';
import { type Outbound, OutboundError } from '#contract/house/outbound';
import { clientAssertionMs, clockSkewMs } from '../numbers.ts';
import { timeOfNumericDate } from '../numeric-date.ts';
import type { SeenIdRecords } from '../records/seen-ids.ts';
import { isSame } from '../secrets/keyed-hash.ts';
import { secretHash } from '../secrets/secret.ts';
import { type FindKey, givenKeys, remoteKeys } from '../trust/remote-keys.ts';
import type { OAuthClient } from './client.ts';
import { invalidClient } from './client-errors.ts';
import { MetadataError } from './client-metadata.ts';
import { type ClientProof, readClientProof } from './client-proof.ts';
import type { Clients } from './clients.ts';

/** Characters of the id of an assertion. */
const longestId = 1024;

/** What clients sign with here. */
export const clientAlgorithms: readonly string[] = ['ES256', 'EdDSA', 'RS256'];

export interface ClientAuthentication {
  readonly clients: Pick<Clients, 'find'>;
  readonly outbound: Outbound;
  readonly seen: SeenIdRecords;
  readonly issuer: () => string;
  readonly now: () => number;
}

type Form = Readonly<Record<string, unknown>>;

/**
 * Make what says which client sends a form to the token endpoint and its like. A public client only
 * says who it is; all others prove it.
 *
 * @throws ServiceError `invalid_client` (401), `invalid_request`
 */
export function createClientAuthentication(parts: ClientAuthentication) {
  return async (form: Form, authorization: unknown): Promise<OAuthClient> => {
    const proof = readClientProof(form, authorization);
    const usedBasic = proof.method === 'client_secret_basic';
    const id = proof.id ?? issuerOf(proof.assertion);
    if (id === undefined) throw invalidClient('no client_id came');
    const client = await findClient(parts.clients, id);
    // One answer for all, so that nobody learns which clients there are.
    if (!client || !(await proves(client, proof, parts))) {
      throw invalidClient('the client is unknown, or did not prove who it is', usedBasic);
    }
    return client;
  };
}

export type AuthenticateClient = ReturnType<typeof createClientAuthentication>;

async function findClient(clients: Pick<Clients, 'find'>, id: string) {
  try {
    return await clients.find(id);
  } catch (error) {
    if (error instanceof MetadataError) throw invalidClient(error.message);
    throw error;
  }
}

async function proves(client: OAuthClient, proof: ClientProof, parts: ClientAuthentication) {
  const { method } = client;
  if (method === 'none') return proof.method === 'none';
  if (method === 'private_key_jwt') {
    return proof.assertion !== undefined && (await isSigned(client, proof.assertion, parts));
  }
  // A client with a secret may send it in either way: libraries differ in what they do by default.
  return proof.secret !== undefined && isSame(secretHash(proof.secret), client.secretHash);
}

/** Check an assertion of a client about itself (RFC 7523 section 3, RFC 10070). */
async function isSigned(client: OAuthClient, assertion: string, parts: ClientAuthentication) {
  const { jwtVerify, errors } = await import('jose');
  const { issuer, now, seen } = parts;
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, keysOf(client, parts), {
      algorithms: [...clientAlgorithms],
      issuer: client.id,
      subject: client.id,
      clockTolerance: clockSkewMs / 1000,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'jti'],
    });
    const { typ = 'JWT' } = protectedHeader;
    if (!/^(?:application\/)?(?:jwt|client-authentication\+jwt)$/i.test(typ)) return false;
    if (protectedHeader.crit !== undefined) return false;
    if (payload.aud !== issuer() || !livesShortly(payload, now())) return false;
    const { jti, exp = 0 } = payload;
    if (typeof jti !== 'string' || jti.length > longestId) return false;
    return await seen.use(`client ${client.id}`, jti, timeOfNumericDate(exp) + clockSkewMs);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof OutboundError) return false;
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function livesShortly({ exp = 0, iat }: JWTPayload, now: number): boolean {
  const left = exp * 1000 - now;
  if (left > clientAssertionMs + clockSkewMs) return false;
  return iat === undefined || iat * 1000 <= now + clockSkewMs;
}

function keysOf(client: OAuthClient, { outbound, now }: ClientAuthentication): FindKey {
  if (client.jwks) return givenKeys(client.jwks);
  return remoteKeys(outbound, client.jwksUri ?? '', now);
}

/** Who an assertion says it is of; nothing of it is believed before its signature is checked. */
function issuerOf(assertion: string | undefined): string | undefined {
  const [, payload = ''] = assertion?.split('.') ?? [];
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const iss = (claims as { readonly iss?: unknown } | null)?.iss;
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}
