import type { Registration, RegistrationRecords } from '../records/registrations.ts';
import type { UserRow } from '../records/users.ts';
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
import type { ScopeSets } from '../scopes/catalogue.ts';
import { makeSecret, secretHash } from '../secrets/secret.ts';
import { mintAssertion } from '../tokens/assertion.ts';
import type { Minting } from '../tokens/issue-token.ts';
import type { IdJag } from './id-jag.ts';
import {
  issuedBy,
  matchPerson,
  subjectOf,
  type VouchingParts,
  verifyVouched,
  withinAssertion,
  withoutPage,
} from './vouched.ts';

export interface AssertionRegistrationParts extends VouchingParts {
  readonly records: Pick<RegistrationRecords, 'add' | 'find' | 'change'>;
  readonly minting: Minting;
  readonly notes: RegistrationNotes;
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
    const jag = await verifyVouched(assertion, parts);
    const wanted = grantedSets(parts.scopes, body.scopes ?? jag.scopes);
    const sets = withinAssertion(jag, wanted);
    const user = await matchPerson(jag, parts);
    if (!user) return stepUp(jag, { sets, network }, parts);
    return clean(jag, { user, sets: withoutPage(jag, sets, parts.scopes), network }, parts);
  };
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
    // An agent that was claimed with an assertion is another one.
    if (registration?.kind !== kind || registration.revokedAt !== undefined) continue;
    if (registration.audience === jag.audience) return registration;
  }
  return undefined;
}

function fresh(jag: IdJag, { sets, network }: Facts, now: number) {
  const clientName = `${jag.issuer.name}: ${jag.clientId}`.slice(0, 120);
  return newRegistration(
    // Before the person has agreed it may do nothing.
    {
      kind,
      clientName,
      network,
      scopes: { pre: [], post: sets.post },
      hint: jag.email ?? '',
      issued: issuedBy(jag),
    },
    now,
  );
}
