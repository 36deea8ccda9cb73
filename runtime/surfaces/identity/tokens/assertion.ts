import { randomBytes } from 'node:crypto';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { assertionMs } from '../numbers.ts';
import type { Registration } from '../records/registrations.ts';
import { InvalidToken } from './access-token.ts';
import { signCompactJws } from './compact-jws.ts';
import type { Minting } from './issue-token.ts';
import type { KnownSignatures, ReadToken } from './known-signatures.ts';
import { verifyOwnJws } from './verify-jwt.ts';

/** A type of its own: nobody takes it for an ID-JAG or an access token. */
const type = 'agent-identity+jwt';
const types = [type];

/** Whom a claimed agent acts for, as its assertion says it. */
export interface AssertedPerson {
  readonly email: string;
  readonly amr?: readonly string[];
}

export interface Assertion {
  readonly jwt: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What a verified assertion says. */
export interface VerifiedAssertion {
  readonly registration: string;
  readonly epoch: number;
  readonly jkt: string | undefined;
}

/** Mint the assertion with which an agent gets its access tokens. */
export async function mintAssertion(
  { keys, addresses, now }: Minting,
  registration: Pick<Registration, 'id' | 'kind' | 'epoch' | 'jkt'>,
  person?: AssertedPerson,
): Promise<Assertion> {
  const { kid, key } = await keys.current();
  const issuedAt = Math.floor(now() / 1000);
  const exp = issuedAt + assertionMs / 1000;
  const { id, kind, epoch, jkt } = registration;
  const claims = {
    iss: addresses.base(),
    aud: addresses.base(),
    sub: id,
    jti: randomBytes(16).toString('base64url'),
    iat: issuedAt,
    exp,
    registration_type: kind,
    epoch,
    ...(person && { email: person.email, email_verified: true }),
    ...(person?.amr && { amr: person.amr }),
    ...(jkt !== '' && { cnf: { jkt } }),
  };
  const jwt = signCompactJws({ typ: type, kid }, claims, key);
  return { jwt, expiresAt: exp * 1000 };
}

/** What assertions are verified with. */
export interface AssertionVerification extends Pick<Minting, 'addresses' | 'now'> {
  readonly keys: Pick<SigningKeys, 'find'>;
  readonly signatures: KnownSignatures;
}

/**
 * Read an assertion, and verify it.
 *
 * @throws InvalidToken
 */
export async function verifyAssertion(
  jwt: string,
  parts: AssertionVerification,
): Promise<VerifiedAssertion> {
  const read = parts.signatures.read(jwt);
  if (!read) throw new InvalidToken('it is no JSON Web Token in compact form');
  return verifyReadAssertion(read, parts);
}

/**
 * Verify an assertion of this server; whether it is still worth something, its registration says.
 *
 * @throws InvalidToken
 */
export async function verifyReadAssertion(
  assertion: ReadToken,
  { keys, addresses, now, signatures }: AssertionVerification,
): Promise<VerifiedAssertion> {
  const issuer = addresses.base();
  const claims = await verifyOwnJws(assertion.jws, {
    ...{ keys, types, issuer, now: now() },
    isSigned: (key) => signatures.isSigned(assertion, key),
  });
  if (claims.aud !== issuer) throw new InvalidToken('it is meant for somebody else');
  const { sub, epoch, cnf } = claims;
  const { jkt } = (cnf ?? {}) as { readonly jkt?: unknown };
  return {
    registration: sub,
    epoch: Number(epoch),
    jkt: typeof jkt === 'string' ? jkt : undefined,
  };
}
