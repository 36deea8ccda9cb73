import type { JWTPayload } from 'jose';
import type { Addresses } from '../addresses.ts';
import { clockSkewMs, idJagLoginMs, idJagMs } from '../numbers.ts';
import { timeOfNumericDate } from '../numeric-date.ts';
import { domainOf, emailAddress } from '../people/email-address.ts';
import type { SeenIdRecords } from '../records/seen-ids.ts';
import { parseScope } from '../scopes/catalogue.ts';
import { AssertionRefused } from './assertion-refusal.ts';
import { boundKey } from './bound-key.ts';
import type { FreshLogins } from './fresh-logins.ts';
import { isText, longestText, textClaim } from './text-claim.ts';
import type { TrustedIssuer } from './trusted-issuers.ts';
import { checkAudience, checkTimes, type ForeignParts, verifyForeign } from './verify-foreign.ts';

export interface IdJagParts extends ForeignParts {
  readonly addresses: Addresses;
  readonly seen: SeenIdRecords;
  readonly logins: Pick<FreshLogins, 'counts'>;
}

/** What an identity assertion of a provider says, checked. */
export interface IdJag {
  readonly issuer: TrustedIssuer;
  readonly issuerTenant: string;
  readonly subject: string;
  readonly clientId: string;
  readonly audience: string;
  readonly email: string | undefined;
  readonly name: string;
  /** One of our resources, where it names one. */
  readonly resource: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly jkt: string | undefined;
}

/** Where an assertion is presented: how it may be addressed, and how often it may be used. */
export interface IdJagUse {
  readonly audiences: readonly string[];
  readonly mostUses: number;
}

/** At the endpoint where agents register (both names of this server are in use), once. */
export function registrationUse(addresses: Addresses): IdJagUse {
  const own = [addresses.base(), addresses.mcp()];
  return { audiences: own.flatMap((each) => [each, `${each}/`]), mostUses: 1 };
}

/** At the token endpoint, where it may come again until it expires. */
export function tokenUse(addresses: Addresses): IdJagUse {
  return { audiences: [addresses.base(), `${addresses.base()}/`], mostUses: 20 };
}

/**
 * Verify an ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant, sections 5 and 6).
 *
 * @throws AssertionRefused
 */
export async function verifyIdJag(
  assertion: string,
  { audiences, mostUses }: IdJagUse,
  parts: IdJagParts,
): Promise<IdJag> {
  const { addresses, seen, logins, now } = parts;
  const { issuer, claims } = await verifyForeign(assertion, ['oauth-id-jag+jwt'], parts);
  checkAudience(claims.aud, audiences);
  checkTimes(claims, now(), idJagMs);
  const { exp = 0 } = claims;
  const text = (name: string) =>
    textClaim(name, claims[name], (why) => refused('invalid_request', why));
  const [jti, sub, clientId, issuerTenant = ''] = ['jti', 'sub', 'client_id', 'tenant'].map(text);
  if (jti === undefined || sub === undefined) {
    throw refused('invalid_request', 'it lacks jti or sub');
  }
  if (clientId === undefined || issuer.clientIds?.includes(clientId) === false) {
    throw refused('invalid_client_id', 'its client_id is missing, or not permitted for its issuer');
  }
  const resource = isText(claims['resource']) ? addresses.resource(claims['resource']) : undefined;
  if (claims['resource'] !== undefined && resource === undefined) {
    throw refused('invalid_audience', 'its resource is none of this server');
  }
  const scopes = scopesOf(claims['scope']);
  const jkt = boundKey(claims['cnf'], (why) => refused('invalid_request', why));
  const authTime = checkLogin(claims, now());
  if (!(await logins.counts({ issuer: issuer.issuer, issuerTenant, subject: sub }, authTime))) {
    throw refused('login_required', 'its person has to sign in at the provider again');
  }
  // The last of the checks that anybody could fail for somebody else: junk must not use ids up.
  const until = timeOfNumericDate(exp) + clockSkewMs;
  if (!(await seen.use(`id-jag ${issuer.issuer}`, jti, until, mostUses))) {
    throw refused('replay_detected', 'it was used before');
  }
  const person = personOf(claims, issuer);
  const { amr } = claims;
  return {
    ...{ issuer, subject: sub, clientId, resource, scopes, authTime, jkt, ...person },
    issuerTenant,
    audience: String([claims.aud].flat()[0]),
    amr: Array.isArray(amr) ? amr.filter(isText) : [],
  };
}

/** What it is restricted to (RFC 6749 section 3.3); one that cannot be read is no leave for all. */
function scopesOf(scope: unknown): readonly string[] | undefined {
  if (scope === undefined) return undefined;
  const scopes = isText(scope) ? parseScope(scope) : [];
  if (scopes.length > 0) return scopes;
  const kind = Array.isArray(scope) ? 'array' : typeof scope;
  const came =
    typeof scope === 'string' ? `one of ${scope.length} characters` : `a value of the type ${kind}`;
  const expected = `a text of at most ${longestText} characters that names scopes between spaces`;
  throw refused('invalid_request', `its scope must be ${expected}, not ${came}`);
}

/** When the person has signed in there; not too long ago. */
function checkLogin({ auth_time: authTime }: JWTPayload, now: number): number {
  const at = typeof authTime === 'number' ? timeOfNumericDate(authTime) : undefined;
  if (at === undefined || at < now - idJagLoginMs - clockSkewMs || at > now + clockSkewMs) {
    throw refused('login_required', 'its person has to sign in at the provider again');
  }
  return at;
}

/** Who it is about, as far as this issuer may say that. */
function personOf(claims: JWTPayload, issuer: TrustedIssuer) {
  const {
    email,
    email_verified: isVerified,
    phone_number_verified: hasPhone,
    tenant,
    amr,
  } = claims;
  if (isVerified !== true && hasPhone !== true) {
    throw refused('missing_verified_email', 'it has no verified address');
  }
  const written = textClaim('email', email, (why) => refused('missing_verified_email', why));
  const told = isVerified === true ? written : undefined;
  const address = told === undefined ? undefined : emailAddress(told);
  if (told !== undefined && address === undefined) {
    throw refused('missing_verified_email', 'its email is no e-mail address');
  }
  const domain = address === undefined ? undefined : domainOf(address);
  if (issuer.domains && (domain === undefined || !issuer.domains.includes(domain))) {
    throw refused('missing_verified_email', 'its issuer may not speak for that address');
  }
  if (issuer.tenants && !(isText(tenant) && issuer.tenants.includes(tenant))) {
    throw refused('issuer_not_enabled', 'its tenant is not trusted here');
  }
  const ways: readonly unknown[] = Array.isArray(amr) ? amr : [];
  if (!issuer.amr.every((each) => ways.includes(each))) {
    throw refused('login_required', 'its person has to sign in in another way');
  }
  return { email: address, name: isText(claims['name']) ? claims['name'].slice(0, 120) : '' };
}

function refused(code: AssertionRefused['code'], message: string): AssertionRefused {
  return new AssertionRefused(code, `the assertion is refused: ${message}`);
}
