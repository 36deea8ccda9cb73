import type { Transaction } from 'kysely';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import type { ClaimNotes } from '../claim/notes.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Place } from '../records/place.ts';
import type { Registration, RegistrationRecords } from '../records/registrations.ts';
import type { UserRow } from '../records/users.ts';
import { assertionMembers, claimMembers, registrationMembers } from '../registration/answer.ts';
import { newRegistration } from '../registration/new-registration.ts';
import { agentActor, type NoteOfRegistration } from '../registration/notes.ts';
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
  readonly place: Pick<Place, 'store'>;
  readonly outbox: Outbox;
  readonly noteOf: NoteOfRegistration;
  readonly claimNotes: Pick<ClaimNotes, 'vouched'>;
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
    // Of several at the same time, each sees what the others have done.
    const found = await parts.place.store.transaction(async (tx) => {
      const user = await matchPerson(jag, parts, tx);
      return user
        ? await clean(jag, { user, sets: withoutPage(jag, sets, parts.scopes), network }, parts, tx)
        : await stepUp(jag, { sets, network }, parts, tx);
    });
    parts.outbox.wake();
    if (!found.user) return interactionRequired(found, parts);
    const { registration, user } = found;
    const person = { email: user.email, amr: jag.amr };
    return {
      status: 200,
      body: {
        ...registrationMembers(registration),
        status: 'claimed',
        ...assertionMembers(await mintAssertion(parts.minting, registration, person)),
        scopes: registration.postScopes,
      },
    };
  };
}

type Tx = Transaction<IdentityTables>;

interface Facts {
  readonly sets: ScopeSets;
  readonly network: string;
}

/** It acts for its person from now on; what of that is new is written down. */
async function clean(
  jag: IdJag,
  { user, sets, network }: Facts & { readonly user: UserRow },
  parts: AssertionRegistrationParts,
  tx: Tx,
): Promise<{ readonly registration: Registration; readonly user: UserRow }> {
  const { records, outbox, noteOf, claimNotes, now } = parts;
  const known = await standing(jag, parts, tx);
  const before = known ?? fresh(jag, { sets, network }, now()).registration;
  const claimedAt = before.claimedAt ?? now();
  const registration = { ...before, user: user.id, claimedAt, postScopes: sets.post };
  const { id, postScopes } = registration;
  if (known) {
    await records.change(id, { user: user.id, claimedAt, postScopes }, tx);
    const more = postScopes.filter((scope) => !before.postScopes.includes(scope));
    if (more.length > 0) {
      const payload = { kind: 'registration', scope: more.join(' ').slice(0, 2000) } as const;
      const actor = agentActor(registration);
      await outbox.add({ action: 'SCOPES_WIDENED', actor, subject: id, payload }, tx);
    }
  } else {
    await records.add(registration, tx);
    await outbox.add(noteOf(registration), tx);
  }
  if (before.claimedAt === undefined) {
    const from = known ? 'pending_claim' : 'unclaimed';
    await claimNotes.vouched(registration, { email: user.email, user: user.id, from }, tx);
  }
  return { registration, user };
}

interface SteppedUp {
  readonly registration: Registration;
  readonly claimToken: string;
  /** Until when it can be claimed. */
  readonly expiresAt: number;
  readonly user?: undefined;
}

/** The person is known here, or somebody with this address is: they have to agree. */
async function stepUp(
  jag: IdJag,
  facts: Facts,
  parts: AssertionRegistrationParts,
  tx: Tx,
): Promise<SteppedUp> {
  const { records, outbox, noteOf, now } = parts;
  const known = await standing(jag, parts, tx);
  const { registration: made, claimToken: first } = fresh(jag, facts, now());
  const { expiresAt, hint } = made;
  if (!known) {
    await records.add(made, tx);
    await outbox.add(noteOf(made), tx);
    return { registration: made, claimToken: first, expiresAt };
  }
  const claimToken = makeSecret('clm');
  await records.change(known.id, { claimHash: secretHash(claimToken), expiresAt, hint }, tx);
  return { registration: known, claimToken, expiresAt };
}

function interactionRequired(
  { registration, claimToken, expiresAt }: SteppedUp,
  { addresses }: Pick<AssertionRegistrationParts, 'addresses'>,
): RegistrationAnswer {
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
      ...claimMembers(addresses, claimToken, expiresAt),
    },
  };
}

/** One row for each person, provider and audience. */
async function standing(jag: IdJag, { delegations, records }: AssertionRegistrationParts, tx: Tx) {
  for (const id of await delegations.registrationsOf(subjectOf(jag), tx)) {
    const registration = await records.find(id, tx);
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
