import type { Addresses } from '../addresses.ts';
import type { DelegationRecords, Subject } from '../records/delegations.ts';
import type { Registration, RegistrationRecords } from '../records/registrations.ts';
import type { UserRecords, UserRow } from '../records/users.ts';
import { assertionMembers, claimMembers, registrationMembers } from '../registration/answer.ts';
import { newRegistration } from '../registration/new-registration.ts';
import { noteRegistration, type RegistrationNotes } from '../registration/notes.ts';
import { networkOf } from '../registration/quotas.ts';
import {
  type Register,
  type RegistrationAnswer,
  refusedRegistration,
} from '../registration/register.ts';
import { grantedSets } from '../registration/scope-sets.ts';
import type { ScopeSets, Scopes } from '../scopes/catalogue.ts';
import { makeSecret, secretHash } from '../secrets/secret.ts';
import { mintAssertion } from '../tokens/assertion.ts';
import type { Minting } from '../tokens/issue-token.ts';
import { AssertionRefused } from './assertion-refusal.ts';
import { type IdJag, type IdJagParts, registrationUse, verifyIdJag } from './id-jag.ts';
import { refusedAssertion } from './refused-assertion.ts';

export interface AssertionRegistrationParts extends IdJagParts {
  readonly addresses: Addresses;
  readonly scopes: Scopes;
  readonly delegations: DelegationRecords;
  readonly users: Pick<UserRecords, 'at' | 'find'>;
  readonly records: Pick<RegistrationRecords, 'add' | 'find' | 'change'>;
  readonly minting: Minting;
  readonly notes: RegistrationNotes;
  readonly takeQuota: (network: string) => Promise<void>;
  /** Write down that an assertion was refused. */
  readonly onRefused: (code: string) => void;
}

const kind = 'identity_assertion';

/**
 * Register an agent for whose person a provider vouches. Somebody who is known here is never bound
 * by the word of a provider alone: that takes the claim ceremony.
 */
export function assertionRegistration(parts: AssertionRegistrationParts): Register {
  return async (body, context) => {
    const { assertion } = body;
    if (typeof assertion !== 'string') {
      throw refusedRegistration('invalid_request', 400, 'assertion is missing');
    }
    const type = body.assertion_type ?? 'urn:ietf:params:oauth:token-type:id-jag';
    if (type !== 'urn:ietf:params:oauth:token-type:id-jag') {
      throw refusedRegistration('invalid_request', 400, 'assertion_type is not known here');
    }
    const network = networkOf(context);
    await parts.takeQuota(network);
    const jag = await verified(assertion, parts);
    const sets = setsOf(jag, body.scopes, parts.scopes);
    const user = await match(jag, parts);
    return user
      ? clean(jag, { user, sets, network }, parts)
      : stepUp(jag, { sets, network }, parts);
  };
}

async function verified(assertion: string, parts: AssertionRegistrationParts): Promise<IdJag> {
  try {
    const jag = await verifyIdJag(assertion, registrationUse(parts.addresses), parts);
    if (jag.jkt === undefined) return jag;
    throw new AssertionRefused('invalid_request', 'bound assertions go to the token endpoint');
  } catch (error) {
    if (!(error instanceof AssertionRefused)) throw error;
    parts.onRefused(error.code);
    throw refusedAssertion(error);
  }
}

/** What was asked for, of what the provider and the operator allow. */
function setsOf(
  { issuer, scopes: carried }: IdJag,
  wanted: readonly string[] | undefined,
  scopes: Scopes,
): ScopeSets {
  const { pre, post } = grantedSets(scopes, wanted ?? carried);
  const within = (list: readonly string[]) =>
    list.filter(
      (scope) => (carried?.includes(scope) ?? true) && (issuer.scopes?.includes(scope) ?? true),
    );
  const sets = { pre: within(pre), post: within(post) };
  if (sets.post.length > 0) return sets;
  throw refusedRegistration('invalid_scope', 400, 'the assertion carries none of these scopes');
}

/** The person that is meant without a doubt; nothing where they have to say so themselves. */
async function match(jag: IdJag, parts: AssertionRegistrationParts): Promise<UserRow | undefined> {
  const { delegations, users, now } = parts;
  const known = await delegations.find(subjectOf(jag));
  if (known !== undefined) {
    await delegations.note(subjectOf(jag), known);
    return users.find(known);
  }
  const { email, name, issuer } = jag;
  if (email !== undefined && (await delegations.knowsAddress(email))) return undefined;
  if (!issuer.createsPeople || email === undefined) {
    const message =
      'the person of the assertion is not known here, and is not taken in by its word';
    throw refusedRegistration('registration_not_allowed', 403, message);
  }
  const at = now();
  const user = await users.at(email, name);
  // Somebody has come in meanwhile under this address.
  if (user.created_at < at) return undefined;
  await delegations.note(subjectOf(jag), user.id);
  return user;
}

interface Facts {
  readonly sets: ScopeSets;
  readonly network: string;
}

async function clean(
  jag: IdJag,
  { user, sets, network }: Facts & { readonly user: UserRow },
  parts: AssertionRegistrationParts,
): Promise<RegistrationAnswer> {
  const { records, minting, notes, now } = parts;
  const known = await standing(jag, parts);
  const made = {
    ...fresh(jag, { sets, network }, now()).registration,
    user: user.id,
    claimedAt: now(),
  };
  const registration: Registration = known
    ? { ...known, user: user.id, claimedAt: known.claimedAt ?? now(), postScopes: sets.post }
    : made;
  if (known) {
    const { claimedAt, postScopes } = registration;
    await records.change(known.id, { user: user.id, postScopes, ...(claimedAt && { claimedAt }) });
  } else {
    await records.add(registration);
    await noteRegistration(notes, registration);
  }
  const person = { email: user.email, amr: jag.amr };
  return {
    status: 200,
    body: {
      ...registrationMembers(registration),
      status: 'claimed',
      ...assertionMembers(await mintAssertion(minting, registration, person)),
      scopes: registration.postScopes,
    },
  };
}

/** The person is known here, or somebody with this address is: they have to agree. */
async function stepUp(
  jag: IdJag,
  facts: Facts,
  parts: AssertionRegistrationParts,
): Promise<RegistrationAnswer> {
  const { records, notes, addresses, now } = parts;
  const known = await standing(jag, parts);
  const { registration: made, claimToken: first } = fresh(jag, facts, now());
  const claimToken = known ? makeSecret('clm') : first;
  const registration = known ?? made;
  if (known) {
    const { expiresAt } = made;
    await records.change(known.id, {
      claimHash: secretHash(claimToken),
      expiresAt,
      hint: made.hint,
    });
  } else {
    await records.add(registration);
    await noteRegistration(notes, registration);
  }
  const message = 'the person has to agree to this agent: go on with the claim ceremony';
  return {
    status: 401,
    headers: {
      'www-authenticate': `AgentAuth error="interaction_required", error_description="${message}"`,
    },
    body: {
      ...{ error: 'interaction_required', error_description: message, message },
      ...registrationMembers(registration),
      post_claim_scopes: registration.postScopes,
      ...claimMembers(addresses, claimToken, made.expiresAt),
    },
  };
}

/** One row for each person, provider and audience. */
async function standing(jag: IdJag, { delegations, records }: AssertionRegistrationParts) {
  for (const id of await delegations.registrationsOf(subjectOf(jag))) {
    const registration = await records.find(id);
    if (registration?.audience === jag.audience && registration.revokedAt === undefined) {
      return registration;
    }
  }
  return undefined;
}

function fresh(jag: IdJag, { sets, network }: Facts, now: number) {
  const issued = {
    ...{ issuer: jag.issuer.issuer, issuerTenant: jag.issuerTenant },
    ...{ issuerSubject: jag.subject, audience: jag.audience },
  };
  const clientName = `${jag.issuer.name}: ${jag.clientId}`.slice(0, 120);
  return newRegistration(
    // Before the person has agreed it may do nothing.
    {
      kind,
      clientName,
      network,
      scopes: { pre: [], post: sets.post },
      hint: jag.email ?? '',
      issued,
    },
    now,
  );
}

/** Whom an assertion is about. */
export function subjectOf({ issuer, issuerTenant, subject }: IdJag): Subject {
  return { issuer: issuer.issuer, issuerTenant, subject };
}
