import type { JWTPayload } from 'jose';
import { isObject } from '#contract/json';
import type { Addresses } from '../addresses.ts';
import { clockSkewMs, eventAgeMs } from '../numbers.ts';
import { timeOfNumericDate } from '../numeric-date.ts';
import type { SeenIdRecords } from '../records/seen-ids.ts';
import { AssertionRefused } from '../trust/assertion-refusal.ts';
import { textClaim } from '../trust/text-claim.ts';
import { checkAudience, type ForeignParts, verifyForeign } from '../trust/verify-foreign.ts';

/** Why an event is not taken (RFC 8935 section 2.4). */
export class EventRefused extends Error {
  readonly err: 'invalid_request' | 'invalid_key' | 'invalid_issuer' | 'invalid_audience';

  constructor(err: EventRefused['err'], message: string) {
    super(message);
    this.name = 'EventRefused';
    this.err = err;
  }
}

/** What an issuer tells of one of its own subjects. */
export interface SecurityEvent {
  readonly issuer: string;
  readonly jti: string;
  readonly issuedAt: number;
  /** URIs of what has happened. */
  readonly events: readonly string[];
  readonly subject: string | undefined;
  /** Verified address of the person, where nothing else names them (RFC 9493 section 3.2.2). */
  readonly email?: string;
  readonly subjectTenant: string;
}

export interface EventParts extends ForeignParts {
  readonly addresses: Addresses;
  readonly seen: SeenIdRecords;
}

const codes: Readonly<Record<string, EventRefused['err']>> = {
  issuer_not_enabled: 'invalid_issuer',
  invalid_signature: 'invalid_key',
  invalid_audience: 'invalid_audience',
};

/**
 * Verify a security event token (RFC 8417).
 *
 * @throws EventRefused
 */
export async function verifyEvent(token: string, parts: EventParts): Promise<SecurityEvent> {
  try {
    const { issuer, claims } = await verifyForeign(token, ['secevent+jwt'], parts);
    const own = [parts.addresses.base(), parts.addresses.mcp()];
    checkAudience(
      claims.aud,
      own.flatMap((each) => [each, `${each}/`]),
    );
    return eventOf(issuer.issuer, claims, parts.now());
  } catch (error) {
    if (!(error instanceof AssertionRefused)) throw error;
    const message = error.message.replace(/^the assertion /, 'the event ');
    throw new EventRefused(codes[error.code] ?? 'invalid_request', message);
  }
}

function eventOf(issuer: string, claims: JWTPayload, now: number): SecurityEvent {
  const { jti, iat, events, sub, sub_id: id } = claims;
  if (typeof jti !== 'string' || jti === '' || jti.length > 1024) throw wrong('it has no jti');
  if (typeof iat !== 'number') throw wrong('it has no iat');
  if (iat * 1000 < now - eventAgeMs) throw wrong('it is older than seven days');
  if (iat * 1000 > now + clockSkewMs) throw wrong('it was issued in the future');
  if (!isObject(events) || Object.keys(events).length === 0) throw wrong('it tells of no event');
  const text = (name: string, value: unknown) => textClaim(name, value, wrong);
  const named = isObject(id) ? id : {};
  // A provider tells of its own subjects alone.
  if (named['iss'] !== undefined && named['iss'] !== issuer)
    throw wrong('its subject is of another issuer');
  const subject = text('sub', sub) ?? text('sub_id', named['sub'] ?? named['id']);
  const email = text('sub_id', named['email']);
  return {
    ...{ issuer, jti, issuedAt: timeOfNumericDate(iat), events: Object.keys(events), subject },
    ...(subject === undefined && email !== undefined && { email: email.toLowerCase() }),
    subjectTenant: text('tenant', claims['tenant']) ?? '',
  };
}

function wrong(message: string): EventRefused {
  return new EventRefused('invalid_request', `the event is refused: ${message}`);
}
