import { attemptMs, pollIntervalMs } from '../numbers.ts';
import type { AttemptRow } from '../records/attempts.ts';
import type { Registration } from '../records/registrations.ts';
import type { UserRow } from '../records/users.ts';
import { networkOf } from '../registration/quotas.ts';
import { refusedRegistration } from '../registration/register.ts';
import { makeSecret, secretHash } from '../secrets/secret.ts';
import type { IdJag } from '../trust/id-jag.ts';
import {
  issuedBy,
  matchPerson,
  type VouchingParts,
  verifyVouched,
  withinAssertion,
  withoutPage,
} from '../trust/vouched.ts';
import type { ClaimByAssertion } from './agent-claims.ts';
import { attemptMembers } from './attempt-members.ts';
import { bindToPerson } from './binding.ts';
import type { ClaimLimits } from './claim-limits.ts';
import { mintRefusal, registrationStatus } from './claiming.ts';
import { attemptOf, type ClaimParts, type Claims, claimable, type OpenClaim } from './claims.ts';
import type { Delivery } from './delivery.ts';
import { mintError } from './refusals.ts';

export interface ClaimByAssertionParts extends Omit<ClaimParts, 'delegations'>, VouchingParts {
  readonly claims: Pick<Claims, 'mint'>;
  readonly limits: Pick<ClaimLimits, 'turnTo'>;
  readonly delivery: Pick<Delivery, 'members'>;
}

const kind = 'identity_assertion';

/**
 * Claim an anonymous registration with the word of a provider: at once for a person whom that
 * provider has spoken for before, or who is new here; everybody else has to agree on the page.
 */
export function claimByAssertion(parts: ClaimByAssertionParts): ClaimByAssertion {
  return async (claim, assertion, context) => {
    await parts.takeQuota(networkOf(context));
    const jag = await verifyVouched(assertion, parts);
    const user = await parts.place.store.transaction((tx) => matchPerson(jag, parts, tx));
    return user ? bindVouched(claim, jag, user, parts) : askPerson(claim, jag, parts);
  };
}

/** What such an agent is called: the registration itself stays what it was. */
function names(id: string) {
  return { registration_id: id, id, type: kind, registration_type: kind };
}

/** The person is known here by other means: they have to agree on the page. */
async function askPerson(claim: OpenClaim, jag: IdJag, parts: ClaimByAssertionParts) {
  const { claims, limits, place } = parts;
  const { id, hint: first, preScopes: pre, postScopes: post } = claim.registration;
  const { email: hint } = jag;
  if (hint === undefined) {
    const message =
      'the person of the assertion is not known here any more, and it names no e-mail';
    throw refusedRegistration('registration_not_allowed', 403, message);
  }
  // Refused before the person is asked.
  withinAssertion(jag, { pre, post });
  if (hint !== (claim.attempt?.hint ?? first)) await limits.turnTo(hint);
  const attempt = await claims.mint(id, hint, issuedBy(jag), (sets) => withinAssertion(jag, sets));
  return { ...names(id), ...attemptMembers(attempt, place.now()) };
}

/** No page is needed: bind the registration as a completed attempt would have. */
async function bindVouched(
  { registration: { id } }: OpenClaim,
  jag: IdJag,
  user: UserRow,
  parts: ClaimByAssertionParts,
) {
  const { place, registrations, attempts, codes, scopes, notes, tell, delivery } = parts;
  const known = await registrations.find(id);
  const letter = known && (await tell.prepare(known, user.email));
  const claimed = await place.store.transaction(async (tx) => {
    const now = place.now();
    const found = await registrations.find(id, tx);
    if (!found) throw mintError('expired');
    const { newest, minted } = await attempts.newestOf(id, tx);
    const open = newest && { ...attemptOf(newest), hint: newest.hint };
    // It is over as soon as it is made, so however many there were does not matter.
    const standing = claimable(found);
    const refusal = mintRefusal(standing, { newest: open, minted: 0, hint: user.email }, now);
    if (refusal) throw mintError(refusal);
    const within = withinAssertion(jag, { pre: found.preScopes, post: found.postScopes });
    const { post: postScopes } = withoutPage(jag, within, scopes);
    const registration: Registration = { ...found, ...issuedBy(jag), postScopes };
    const attempt = completedAttempt(registration, user, now, codes);
    await attempts.supersede(id, tx);
    await attempts.add(attempt, tx);
    await registrations.change(id, { ...issuedBy(jag), postScopes }, tx);
    await bindToPerson(registration, { user: user.id, now }, parts, tx);
    if (letter !== undefined) await tell.send(letter, tx);
    const from = registrationStatus(standing, minted > 0, now);
    const facts = { attempt: attempt.id, email: user.email, user: user.id, from };
    await notes.vouched(registration, facts, tx);
    return { attempt, registration: { ...registration, user: user.id, epoch: found.epoch + 1 } };
  });
  notes.wake();
  await parts.revocations.follow();
  return {
    ...names(id),
    status: 'claimed',
    claim_attempt_id: claimed.attempt.id,
    ...(await delivery.members(claimed.attempt, claimed.registration)),
  };
}

/** An attempt that was never open: with it, an agent that lost the answer gets it again. */
function completedAttempt(
  { id, expiresAt }: Registration,
  { id: user, email: hint }: UserRow,
  now: number,
  codes: ClaimParts['codes'],
): AttemptRow {
  const attempt = makeSecret('cla');
  return {
    ...{ id: attempt, registration: id, hint, user, state: 'completed', wrong: 0 },
    // Nobody gets the link or the code.
    token_hash: secretHash(makeSecret('cvt')),
    typed_code: codes.hash(attempt, codes.make()),
    interval_ms: pollIntervalMs,
    polled_at: null,
    completed_at: now,
    delivered_at: null,
    created_at: now,
    expires_at: Math.min(now + attemptMs, expiresAt),
  };
}
