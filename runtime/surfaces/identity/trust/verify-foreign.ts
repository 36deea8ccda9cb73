import type { JWTPayload } from 'jose';
import { type Outbound, OutboundError } from '#contract/house/outbound';
import { clockSkewMs } from '../numbers.ts';
import { AssertionRefused } from './assertion-refusal.ts';
import { issuerKeys } from './issuer-keys.ts';
import type { TrustedIssuer } from './trusted-issuers.ts';

const longest = 16_384;

export interface ForeignParts {
  readonly issuers: ReadonlyMap<string, TrustedIssuer>;
  readonly outbound: Outbound;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A token of somebody else whose signature was checked; its times and audience were not. */
export interface ForeignToken {
  readonly issuer: TrustedIssuer;
  readonly claims: JWTPayload;
}

/**
 * Check the type, the issuer and the signature of a token of somebody else (RFC 8725).
 *
 * @param types media types that its header may name; `undefined` stands for none
 * @throws AssertionRefused
 */
export async function verifyForeign(
  token: string,
  types: readonly (string | undefined)[],
  parts: ForeignParts,
): Promise<ForeignToken> {
  const { decodeJwt, decodeProtectedHeader, errors, jwtVerify } = await import('jose');
  if (token.length > longest)
    throw refused('invalid_request', `it is longer than ${longest} bytes`);
  const { header, iss } = peek(token, decodeProtectedHeader, decodeJwt);
  const type = typeof header.typ === 'string' ? header.typ.toLowerCase() : undefined;
  if (!types.includes(type?.replace(/^application\//, ''))) {
    throw refused('invalid_request', 'its header names another type of token');
  }
  if (header.crit !== undefined) throw refused('invalid_request', 'it demands extensions');
  const issuer = parts.issuers.get(iss ?? '');
  if (!issuer) throw refused('issuer_not_enabled', 'its issuer is not trusted here');
  try {
    const keys = await issuerKeys(issuer, parts.outbound, parts.now);
    const { payload } = await jwtVerify(token, keys, {
      algorithms: [...issuer.algorithms],
      issuer: issuer.issuer,
      // Times are looked at by whoever knows how long such a token may live.
      currentDate: new Date(0),
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
    return { issuer, claims: payload };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      throw refused(
        'invalid_signature',
        'its signature cannot be checked with a key of its issuer',
      );
    }
    if (error instanceof OutboundError) {
      throw refused('invalid_signature', 'the keys of its issuer cannot be fetched');
    }
    throw error;
  }
}

/**
 * Whether it is in force, and how long it lives (RFC 7523 section 3, items 4 to 6).
 *
 * @param now milliseconds since the epoch
 * @throws AssertionRefused `expired`
 */
export function checkTimes({ exp, iat, nbf }: JWTPayload, now: number, mostMs: number): void {
  if (exp === undefined || iat === undefined) throw refused('expired', 'it lacks exp or iat');
  if (exp * 1000 + clockSkewMs <= now) throw refused('expired', 'it has expired');
  if ((exp - iat) * 1000 > mostMs)
    throw refused('expired', `it lives longer than ${mostMs / 1000} seconds`);
  if (iat * 1000 > now + clockSkewMs) throw refused('expired', 'it was issued in the future');
  if (nbf !== undefined && nbf * 1000 > now + clockSkewMs) {
    const here = Math.floor(now / 1000);
    throw refused('expired', `its nbf must not be later than ${here}, which is now, not ${nbf}`);
  }
}

/** Exactly one audience, which is one of these. @throws AssertionRefused `invalid_audience` */
export function checkAudience(aud: JWTPayload['aud'], accepted: readonly string[]): void {
  const [only, ...others] = [aud].flat();
  if (only !== undefined && others.length === 0 && accepted.includes(only)) return;
  throw refused('invalid_audience', 'it is not meant for this server alone');
}

type Decode = typeof import('jose');

function peek(
  token: string,
  decodeHeader: Decode['decodeProtectedHeader'],
  decode: Decode['decodeJwt'],
) {
  try {
    return { header: decodeHeader(token), iss: decode(token).iss };
  } catch {
    throw refused('invalid_request', 'it is no JSON Web Token in compact form');
  }
}

function refused(code: AssertionRefused['code'], message: string): AssertionRefused {
  return new AssertionRefused(code, `the assertion is refused: ${message}`);
}
