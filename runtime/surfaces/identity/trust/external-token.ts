import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { ServiceError } from '#contract/errors';
import { type Outbound, OutboundError } from '#contract/house/outbound';
import type { Addresses } from '../addresses.ts';
import { clockSkewMs, keySetFailureMs } from '../numbers.ts';
import { timeOfNumericDate } from '../numeric-date.ts';
import { parseScope, type Scopes } from '../scopes/catalogue.ts';
import { type AccessToken, InvalidToken } from '../tokens/access-token.ts';
import { boundKey } from './bound-key.ts';
import { foreignSubject } from './foreign-subject.ts';
import type { ExternalIntrospection } from './introspection.ts';
import { issuerKeys } from './issuer-keys.ts';

export interface ExternalParts {
  /** Whose tokens are taken as if they were our own (`SERVICE_TOKEN_ISSUER`). */
  readonly issuer: string;
  /** Whether its tokens may lack the type of RFC 9068 section 2.1. */
  readonly takesUntyped: boolean;
  /** Absent where it is not asked what its tokens are worth. */
  readonly introspection: Pick<ExternalIntrospection, 'ask'> | undefined;
  readonly outbound: Outbound;
  readonly addresses: Addresses;
  readonly scopes: Scopes;
  readonly now: () => number;
}

const algorithms = ['ES256', 'EdDSA', 'RS256', 'PS256'];
const longest = 8192;
/** Characters of the id of a token. */
const longestId = 1024;

/**
 * Verify an access token of the identity provider of the operator (RFC 9068 section 4). Its people
 * are called by its name and theirs: none of them is taken for somebody of this server.
 *
 * @throws InvalidToken
 */
export async function verifyExternalToken(
  token: string,
  parts: ExternalParts,
  takesExpired = false,
): Promise<AccessToken> {
  const { errors, jwtVerify } = await import('jose');
  const { issuer, outbound, now } = parts;
  if (token.length > longest) throw new InvalidToken(`it is longer than ${longest} bytes`);
  try {
    const keys = await issuerKeys({ issuer, jwksUri: undefined }, outbound, now);
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      ...{ issuer, algorithms },
      currentDate: new Date(takesExpired ? 0 : now()),
      clockTolerance: takesExpired ? Number.MAX_SAFE_INTEGER : clockSkewMs / 1000,
      requiredClaims: ['sub', 'aud', 'exp', 'iat'],
    });
    const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '');
    const isPlain = type === undefined || type === 'jwt';
    if (type !== 'at+jwt' && !(parts.takesUntyped && isPlain)) {
      throw new InvalidToken('it is a token of another kind');
    }
    if (protectedHeader.crit !== undefined) throw new InvalidToken('it demands extensions');
    const known = tokenOf(payload, fingerprintOf(token), parts);
    // One that is revoked all the same loses nothing when its issuer cannot be asked.
    if (!parts.introspection || takesExpired) return known;
    const { claims, isUnsupported, until } = await parts.introspection.ask(token);
    if (!claims && !isUnsupported) {
      throw new InvalidToken('its issuer takes it for worth nothing');
    }
    const jkt = claims && keyOf(claims);
    if (jkt !== undefined && jkt !== known.jkt) {
      throw new InvalidToken('its issuer binds it to another key than it says itself');
    }
    return { ...known, believedUntil: until };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      throw new InvalidToken('it is not valid');
    }
    if (error instanceof OutboundError) {
      // That is no word about the token, whose bearer must not throw it away.
      const message = 'the keys of the issuer of the token cannot be fetched now';
      const more = { retryAfterMs: keySetFailureMs, cause: error };
      throw new ServiceError('temporarily_unavailable', 503, message, more);
    }
    throw error;
  }
}

/**
 * Take an opaque access token of that provider for what the provider says of it (RFC 7662).
 *
 * @throws InvalidToken
 * @throws ServiceError 503 where it cannot be asked
 */
export async function introspectExternalToken(
  token: string,
  parts: ExternalParts & { readonly introspection: Pick<ExternalIntrospection, 'ask'> },
): Promise<AccessToken> {
  if (token.length > longest) throw new InvalidToken(`it is longer than ${longest} bytes`);
  const { claims, askedAt, until } = await parts.introspection.ask(token);
  if (!claims) throw new InvalidToken('its issuer takes it for worth nothing');
  const { iss = parts.issuer, token_type: type, exp } = claims;
  if (iss !== parts.issuer) throw new InvalidToken('it is of another issuer');
  // Refresh tokens are active as well.
  if (typeof type !== 'string' || !/^(bearer|dpop)$/i.test(type)) {
    throw new InvalidToken('its issuer does not say that it is an access token');
  }
  const { client_id: client, sub = client, iat } = claims;
  if (typeof sub !== 'string' || sub === '') throw new InvalidToken('its issuer names no subject');
  // Where nobody says when it was issued, what its issuer says of it after a revocation counts.
  const times = { iat: secondsOf(iat, askedAt / 1000), exp: secondsOf(exp, until / 1000) };
  const known = tokenOf({ ...claims, ...times, sub } as JWTPayload, fingerprintOf(token), parts);
  if (known.jkt === undefined && type.toLowerCase() === 'dpop') {
    throw new InvalidToken(
      'its token_type is DPoP, so that a cnf with a jkt is expected, not none',
    );
  }
  return { ...known, believedUntil: until };
}

/** @throws InvalidToken where a time is there, and is no number */
function secondsOf(value: unknown, absent: number): number {
  if (value === undefined) return absent;
  if (typeof value === 'number') return value;
  throw new InvalidToken('its issuer tells its times as something else than numbers');
}

function fingerprintOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** @throws InvalidToken where it is bound to what cannot be checked */
function keyOf({ cnf }: Readonly<Record<string, unknown>>): string | undefined {
  return boundKey(cnf, (why) => new InvalidToken(why));
}

function tokenOf(claims: JWTPayload, fingerprint: string, parts: ExternalParts): AccessToken {
  const { addresses, scopes, issuer } = parts;
  const [audience, ...others] = [claims.aud].flat();
  const resource = others.length === 0 ? addresses.resource(audience ?? '') : undefined;
  if (resource === undefined) throw new InvalidToken('it is meant for another resource');
  const { sub = '', exp = 0, iat = 0, nbf, jti, client_id: client, azp } = claims;
  if (nbf !== undefined && typeof nbf !== 'number') throw new InvalidToken('its nbf is no number');
  if (jti !== undefined && !(typeof jti === 'string' && jti !== '' && jti.length <= longestId)) {
    throw new InvalidToken(`its jti is no text of 1 to ${longestId} characters`);
  }
  const named = scopesOf(claims).filter((scope) => scopes.unknown([scope]).length === 0);
  return {
    id: jti ?? fingerprint,
    issuer,
    subject: foreignSubject({ issuer, issuerTenant: '', subject: sub }),
    client: [client, azp].find((each) => typeof each === 'string') ?? 'unknown',
    resource,
    scopes: named,
    allScopes: scopes.expanded(named),
    issuedAt: timeOfNumericDate(iat),
    expiresAt: timeOfNumericDate(exp),
    notBefore: nbf === undefined ? undefined : timeOfNumericDate(nbf),
    registration: undefined,
    grant: undefined,
    act: undefined,
    jkt: keyOf(claims),
  };
}

/** Providers say it as a text in `scope`, or as a list in `scp`. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const told = scope ?? scp;
  if (typeof told === 'string') return parseScope(told);
  return Array.isArray(told) ? told.filter((each) => typeof each === 'string') : [];
}
