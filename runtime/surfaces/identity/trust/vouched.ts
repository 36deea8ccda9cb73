import type { Transaction } from 'kysely';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import type { DelegationRecords, Subject } from '../records/delegations.ts';
import type { Issued } from '../records/registrations.ts';
import type { UserRecords, UserRow } from '../records/users.ts';
import { refusedRegistration } from '../registration/register.ts';
import type { ScopeSets, Scopes } from '../scopes/catalogue.ts';
import { AssertionRefused } from './assertion-refusal.ts';
import { type IdJag, type IdJagParts, registrationUse, verifyIdJag } from './id-jag.ts';
import { refusedAssertion } from './refused-assertion.ts';

/** What it takes to go by the word of a provider, when agents register and when they are claimed. */
export interface VouchingParts extends IdJagParts {
  readonly scopes: Scopes;
  readonly delegations: DelegationRecords;
  readonly users: Pick<UserRecords, 'at' | 'find'>;
  /** Counts who brings assertions. @throws ServiceError 429, 503 */
  readonly takeQuota: (network: string) => Promise<void>;
  /** Write down that an assertion was refused, before anybody is told; it never fails. */
  readonly onRefused: (code: string) => Promise<void>;
}

/**
 * Verify an ID-JAG that is brought to one of the endpoints of agents, where it counts once.
 *
 * @throws ServiceError
 */
export async function verifyVouched(assertion: string, parts: VouchingParts): Promise<IdJag> {
  try {
    const jag = await verifyIdJag(assertion, registrationUse(parts.addresses), parts);
    if (jag.jkt === undefined) return jag;
    throw new AssertionRefused('invalid_request', 'bound assertions go to the token endpoint');
  } catch (error) {
    if (!(error instanceof AssertionRefused)) throw error;
    await parts.onRefused(error.code);
    throw refusedAssertion(error);
  }
}

/**
 * Of what an agent is granted, what the provider and the operator allow.
 *
 * @throws ServiceError `invalid_scope` where that is nothing
 */
export function withinAssertion({ issuer, scopes: carried }: IdJag, sets: ScopeSets): ScopeSets {
  return remaining(
    sets,
    (scope) => (carried?.includes(scope) ?? true) && (issuer.scopes?.includes(scope) ?? true),
  );
}

/**
 * Of that, what needs no page: a scope that is shown to people line by line is given without one
 * only where their provider names it itself.
 *
 * @throws ServiceError `invalid_scope` where that is nothing
 */
export function withoutPage({ scopes: carried }: IdJag, sets: ScopeSets, scopes: Scopes) {
  const shown = carried ? [] : scopes.ofTier('ask');
  return remaining(sets, (scope) => !shown.includes(scope));
}

function remaining({ pre, post }: ScopeSets, keeps: (scope: string) => boolean): ScopeSets {
  const sets = { pre: pre.filter(keeps), post: post.filter(keeps) };
  if (sets.post.length > 0) return sets;
  throw refusedRegistration('invalid_scope', 400, 'the assertion carries none of these scopes');
}

/**
 * The person that is meant without a doubt; nothing where they have to say so themselves. Of several
 * assertions of a new person at the same time, the first one makes that person known to the others.
 *
 * @param tx in which nobody else comes in
 * @throws ServiceError `registration_not_allowed` where nobody is known, and nobody is taken in
 */
export async function matchPerson(
  jag: IdJag,
  { delegations, users }: Pick<VouchingParts, 'delegations' | 'users'>,
  tx: Transaction<IdentityTables>,
): Promise<UserRow | undefined> {
  const known = await delegations.find(subjectOf(jag), tx);
  if (known !== undefined) {
    await delegations.note(subjectOf(jag), known, tx);
    return users.find(known, tx);
  }
  const { email, name, issuer } = jag;
  if (email !== undefined && (await delegations.knowsAddress(email, tx))) return undefined;
  if (!issuer.createsPeople || email === undefined) {
    const message =
      'the person of the assertion is not known here, and is not taken in by its word';
    throw refusedRegistration('registration_not_allowed', 403, message);
  }
  const user = await users.at(email, name, tx);
  await delegations.note(subjectOf(jag), user.id, tx);
  return user;
}

/** Whom an assertion is about. */
export function subjectOf({ issuer, issuerTenant, subject }: IdJag): Subject {
  return { issuer: issuer.issuer, issuerTenant, subject };
}

/** Who vouches for whom, as a registration keeps it. */
export function issuedBy(jag: IdJag): Issued {
  const { issuer, issuerTenant, subject: issuerSubject } = subjectOf(jag);
  return { issuer, issuerTenant, issuerSubject, audience: jag.audience };
}
