import type { Addresses } from '../addresses.ts';
import { workloadMs } from '../numbers.ts';
import { AssertionRefused } from './assertion-refusal.ts';
import type { IdJagParts } from './id-jag.ts';
import { checkAudience, checkTimes, verifyForeign } from './verify-foreign.ts';

/** A program that an issuer vouches for, and what it may do. */
export interface Workload {
  readonly subject: string;
  readonly issuer: string;
  /** Empty where no rule names it. */
  readonly scopes: readonly string[];
}

/** How the assertion of a workload can be addressed: to the token endpoint, or to this server. */
function audiencesOf(addresses: Addresses): readonly string[] {
  const paths = ['', '/', '/.well-known/oauth-authorization-server/token', '/oauth2/token'];
  return paths.map((path) => `${addresses.base()}${path}`);
}

/**
 * Verify the assertion of a workload (MCP, workload identity federation; RFC 7523 section 3).
 *
 * @throws AssertionRefused
 */
export async function verifyWorkload(assertion: string, parts: IdJagParts): Promise<Workload> {
  const { issuer, claims } = await verifyForeign(assertion, ['jwt', undefined], parts);
  checkAudience(claims.aud, audiencesOf(parts.addresses));
  checkTimes(claims, parts.now(), workloadMs);
  const { sub = '', jti = '' } = claims;
  // It may come again until it expires: those of a cluster are read from a file.
  if (sub === '' || jti === '') {
    throw new AssertionRefused('invalid_request', 'the assertion is refused: it lacks sub or jti');
  }
  const rules = issuer.workloads.filter(({ subject }) => fits(subject, sub));
  const scopes = [...new Set(rules.flatMap((rule) => rule.scopes))];
  return { subject: sub, issuer: issuer.issuer, scopes };
}

function fits(pattern: string, subject: string): boolean {
  return pattern.endsWith('*') ? subject.startsWith(pattern.slice(0, -1)) : subject === pattern;
}
