import type { Addresses } from '../addresses.ts';
import { workloadMs } from '../numbers.ts';
import { AssertionRefused } from './assertion-refusal.ts';
import { boundKey } from './bound-key.ts';
import { textClaim } from './text-claim.ts';
import { checkAudience, checkTimes, type ForeignParts, verifyForeign } from './verify-foreign.ts';

/** A program that an issuer vouches for, and what it may do. */
export interface Workload {
  readonly subject: string;
  readonly issuer: string;
  /** Empty where no rule names it. */
  readonly scopes: readonly string[];
  /** The key that its assertion is bound to. */
  readonly jkt: string | undefined;
}

export interface WorkloadParts extends ForeignParts {
  readonly addresses: Addresses;
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
export async function verifyWorkload(assertion: string, parts: WorkloadParts): Promise<Workload> {
  const { issuer, claims } = await verifyForeign(assertion, ['jwt', undefined], parts);
  checkAudience(claims.aud, audiencesOf(parts.addresses));
  checkTimes(claims, parts.now(), workloadMs);
  const text = (name: string) => textClaim(name, claims[name], refused);
  const [sub, jti] = ['sub', 'jti'].map(text);
  // It may come again until it expires: those of a cluster are read from a file.
  if (sub === undefined || jti === undefined) throw refused('it lacks sub or jti');
  const jkt = boundKey(claims['cnf'], refused);
  const rules = issuer.workloads.filter(({ subject }) => fits(subject, sub));
  const scopes = [...new Set(rules.flatMap((rule) => rule.scopes))];
  return { subject: sub, issuer: issuer.issuer, scopes, jkt };
}

function refused(why: string): AssertionRefused {
  return new AssertionRefused('invalid_request', `the assertion is refused: ${why}`);
}

function fits(pattern: string, subject: string): boolean {
  return pattern.endsWith('*') ? subject.startsWith(pattern.slice(0, -1)) : subject === pattern;
}
