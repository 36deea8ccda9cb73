import type { KeyObject } from 'node:crypto';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { clockSkewMs } from '../numbers.ts';
import { InvalidToken } from './access-token.ts';
import { type CompactJws, isSignedWith, readCompactJws } from './compact-jws.ts';

const mostBytes = 8192;

/** What a token of this server has to be. */
export interface ExpectedJwt {
  readonly keys: Pick<SigningKeys, 'find'>;
  /** Media types that its header may name. */
  readonly types: readonly string[];
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Expired ones are taken too, for whoever only wants to know whose it was. */
  readonly takesExpired?: boolean;
  /** Says whether the token is signed with a key, where that is remembered; else it is verified. */
  readonly isSigned?: (key: KeyObject) => boolean;
}

/** What every token of this server says (RFC 7519 section 4.1), and whatever else it says. */
export interface OwnClaims {
  readonly [name: string]: unknown;
  readonly iss: string;
  readonly sub: string;
  readonly aud: unknown;
  readonly jti: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  readonly exp: number;
  readonly nbf?: number;
}

/**
 * Verify a token that this server has signed (RFC 7519, RFC 8725): the key is found by its id, and
 * the key says the algorithm; keys that a token brings along are ignored.
 *
 * @throws InvalidToken
 */
export async function verifyOwnJwt(token: string, expected: ExpectedJwt): Promise<OwnClaims> {
  if (token.length > mostBytes) throw tooLong();
  const jws = readCompactJws(token);
  if (!jws) throw new InvalidToken('it is no JSON Web Token in compact form');
  return verifyOwnJws(jws, expected);
}

/**
 * Verify one that was read already.
 *
 * @throws InvalidToken
 */
export async function verifyOwnJws(
  jws: CompactJws,
  { keys, types, issuer, now, takesExpired = false, isSigned }: ExpectedJwt,
): Promise<OwnClaims> {
  if (jws.input.length > mostBytes) throw tooLong();
  const { kid, alg, typ, crit } = jws.header;
  const key = typeof kid === 'string' && kid.length <= 64 ? await keys.find(kid) : undefined;
  if (!key || key.alg !== alg) throw new InvalidToken('it is not signed with a key of this server');
  if (crit !== undefined) throw new InvalidToken('it demands extensions that are not known here');
  if (typeof typ !== 'string' || !types.includes(typ.toLowerCase())) {
    throw new InvalidToken('it is a token of another kind');
  }
  if (!(isSigned?.(key.key) ?? isSignedWith(jws, key.key)))
    throw new InvalidToken('it is not valid');
  const { claims } = jws;
  if (!areOwn(claims) || claims.iss !== issuer) throw new InvalidToken('it is not valid');
  // One that is taken after its end is looked at as if that had not come.
  if (takesExpired) return claims;
  if ((claims.nbf ?? 0) * 1000 > now + clockSkewMs) throw new InvalidToken('it is not valid');
  if (claims.exp * 1000 <= now - clockSkewMs) throw new InvalidToken('it has expired');
  return claims;
}

function tooLong(): InvalidToken {
  return new InvalidToken(`it is longer than ${mostBytes} bytes`);
}

function areOwn(claims: Readonly<Record<string, unknown>>): claims is OwnClaims {
  const { iss, sub, aud, jti, iat, exp, nbf } = claims;
  const areTexts = [iss, sub, jti].every((each) => typeof each === 'string');
  const areTimes = [iat, exp, nbf ?? 0].every((each) => typeof each === 'number');
  return areTexts && areTimes && aud !== undefined;
}
