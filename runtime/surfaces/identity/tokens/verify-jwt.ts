import type { JWTPayload, JWTVerifyOptions } from 'jose';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { clockSkewMs } from '../numbers.ts';
import { InvalidToken } from './access-token.ts';

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
}

/**
 * Verify a token that this server has signed (RFC 7519, RFC 8725): the key is found by its id, and
 * the key says the algorithm; keys that a token brings along are ignored.
 *
 * @throws InvalidToken
 */
export async function verifyOwnJwt(
  token: string,
  { keys, types, issuer, now, takesExpired = false }: ExpectedJwt,
): Promise<JWTPayload> {
  const { decodeProtectedHeader, errors, jwtVerify } = await import('jose');
  if (token.length > mostBytes) throw new InvalidToken(`it is longer than ${mostBytes} bytes`);
  let header: ReturnType<typeof decodeProtectedHeader>;
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw new InvalidToken('it is no JSON Web Token in compact form');
  }
  const { kid, alg, typ, crit } = header;
  const key = typeof kid === 'string' && kid.length <= 64 ? await keys.find(kid) : undefined;
  if (!key || key.alg !== alg) throw new InvalidToken('it is not signed with a key of this server');
  if (crit !== undefined) throw new InvalidToken('it demands extensions that are not known here');
  if (typeof typ !== 'string' || !types.includes(typ.toLowerCase())) {
    throw new InvalidToken('it is a token of another kind');
  }
  const options: JWTVerifyOptions = {
    algorithms: [key.alg],
    issuer,
    // One that is taken after its end is looked at as if that had not come.
    currentDate: new Date(takesExpired ? 0 : now),
    clockTolerance: takesExpired ? Number.MAX_SAFE_INTEGER : clockSkewMs / 1000,
    requiredClaims: ['sub', 'aud', 'iat', 'exp', 'jti'],
  };
  try {
    return (await jwtVerify(token, key.key, options)).payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new InvalidToken('it has expired');
    if (error instanceof errors.JOSEError) throw new InvalidToken('it is not valid');
    throw error;
  }
}
