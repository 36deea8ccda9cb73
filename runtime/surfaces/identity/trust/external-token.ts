import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { type Outbound, OutboundError } from '#contract/house/outbound';
import type { Addresses } from '../addresses.ts';
import { clockSkewMs } from '../numbers.ts';
import { parseScope, type Scopes } from '../scopes/catalogue.ts';
import { type AccessToken, InvalidToken } from '../tokens/access-token.ts';
import { foreignSubject } from './foreign-subject.ts';
import { issuerKeys } from './issuer-keys.ts';

export interface ExternalParts {
  /** Whose tokens are taken as if they were our own (`SERVICE_TOKEN_ISSUER`). */
  readonly issuer: string;
  /** Whether its tokens may lack the type of RFC 9068 section 2.1. */
  readonly takesUntyped: boolean;
  readonly outbound: Outbound;
  readonly addresses: Addresses;
  readonly scopes: Scopes;
  readonly now: () => number;
}

const algorithms = ['ES256', 'EdDSA', 'RS256', 'PS256'];
const longest = 8192;

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
    return tokenOf(payload, hash('sha256', token, 'base64url'), parts);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      throw new InvalidToken('it is not valid');
    }
    if (error instanceof OutboundError) {
      throw new InvalidToken('the keys of its issuer cannot be fetched now');
    }
    throw error;
  }
}

function tokenOf(claims: JWTPayload, fingerprint: string, parts: ExternalParts): AccessToken {
  const { addresses, scopes, issuer } = parts;
  const [audience, ...others] = [claims.aud].flat();
  const resource = others.length === 0 ? addresses.resource(audience ?? '') : undefined;
  if (resource === undefined) throw new InvalidToken('it is meant for another resource');
  const { sub = '', exp = 0, iat = 0, nbf, jti, client_id: client, azp, cnf } = claims;
  const named = scopesOf(claims).filter((scope) => scopes.unknown([scope]).length === 0);
  const { jkt } = (cnf ?? {}) as { readonly jkt?: unknown };
  return {
    id: jti ?? fingerprint,
    issuer,
    subject: foreignSubject({ issuer, issuerTenant: '', subject: sub }),
    client: [client, azp].find((each) => typeof each === 'string') ?? 'unknown',
    resource,
    scopes: named,
    allScopes: scopes.expanded(named),
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
    notBefore: nbf === undefined ? undefined : nbf * 1000,
    registration: undefined,
    grant: undefined,
    act: undefined,
    jkt: typeof jkt === 'string' ? jkt : undefined,
  };
}

/** Providers say it as a text in `scope`, or as a list in `scp`. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const told = scope ?? scp;
  if (typeof told === 'string') return parseScope(told);
  return Array.isArray(told) ? told.filter((each) => typeof each === 'string') : [];
}
