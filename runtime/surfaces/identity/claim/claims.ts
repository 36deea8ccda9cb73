import type { AnyTransaction } from '#contract/house/store';
import type { Addresses } from '../addresses.ts';
import { attemptMs, mostLiveAttempts, pollIntervalMs } from '../numbers.ts';
import type { Person } from '../people/person.ts';
import type { AttemptRecords, AttemptRow } from '../records/attempts.ts';
import type { Place } from '../records/place.ts';
import {
  type Issued,
  nobodyVouches,
  type Registration,
  type RegistrationRecords,
} from '../records/registrations.ts';
import type { ScopeSets } from '../scopes/catalogue.ts';
import { makeSecret, secretHash } from '../secrets/secret.ts';
import type { Revocations } from '../tokens/revocations.ts';
import { type Act, act, type Outcome } from './attempt.ts';
import { type BindingParts, bindToPerson } from './binding.ts';
import { type Claimable, mintRefusal, registrationStatus } from './claiming.ts';
import type { Codes } from './codes.ts';
import type { ClaimNotes } from './notes.ts';
import { mintError } from './refusals.ts';

export interface ClaimParts extends BindingParts {
  readonly place: Place;
  readonly registrations: RegistrationRecords;
  readonly attempts: AttemptRecords;
  readonly revocations: Pick<Revocations, 'follow'>;
  readonly codes: Codes;
  readonly addresses: Addresses;
  readonly notes: ClaimNotes;
  readonly tell: TellClaimed;
}

/** Tells a person by mail that an agent acts for them from now on. */
export interface TellClaimed {
  /** Seal the letter; nothing where no mail is sent. */
  prepare(registration: Registration, to: string): Promise<string | undefined>;
  /** Send it once the transaction holds. */
  send(letter: string, tx: AnyTransaction): Promise<void>;
}

/** An attempt as its agent gets it: code and link leave once. */
export interface MintedAttempt {
  readonly id: string;
  readonly userCode: string;
  readonly verificationUri: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A registration with the attempt that is the newest. */
export interface OpenClaim {
  readonly registration: Registration;
  readonly attempt: AttemptRow | undefined;
}

/** Claims of registrations by people, as the store keeps them. */
export class Claims {
  readonly #parts: ClaimParts;

  constructor(parts: ClaimParts) {
    this.#parts = parts;
  }

  /** By the token of the agent. */
  async find(claimToken: string): Promise<OpenClaim | undefined> {
    const { registrations, attempts } = this.#parts;
    const hash = secretHash(claimToken);
    const registration = await registrations.findByClaim(hash);
    if (!registration) return undefined;
    const { newest: attempt } = await attempts.newestOf(registration.id);
    if (attempt?.state !== 'completed' || registration.claimedAt !== undefined) {
      return { registration, attempt };
    }
    // It was claimed after the first of the two was read: an agent would be told that its claim is over.
    const claimed = await registrations.findByClaim(hash);
    return claimed && { registration: claimed, attempt };
  }

  /** By the token in the link, which is worth nothing once there is a newer one. */
  async findLink(token: string): Promise<(OpenClaim & { attempt: AttemptRow }) | undefined> {
    const { registrations, attempts } = this.#parts;
    const attempt = await attempts.findByToken(secretHash(token));
    if (!attempt || attempt.state === 'superseded') return undefined;
    const registration = await registrations.find(attempt.registration);
    return registration && { registration, attempt };
  }

  /**
   * Make the attempt to have a registration claimed by whoever has this address; an older one is
   * over then, and who vouched for its person as well.
   *
   * @param issued who vouches for the person, where it is not the registration itself that says so
   * @param within what of its scopes that allows; the rest is gone for good
   * @throws ServiceError where the registration cannot have one
   */
  async mint(
    id: string,
    hint: string,
    issued: Issued = nobodyVouches,
    within?: (sets: ScopeSets) => ScopeSets,
  ): Promise<MintedAttempt> {
    const { place, registrations, attempts, codes, addresses, notes } = this.#parts;
    const token = makeSecret('cvt');
    const attempt = makeSecret('cla');
    const userCode = codes.make();
    const { expiresAt } = await place.store.transaction(async (tx) => {
      const now = place.now();
      const registration = await registrations.find(id, tx);
      if (!registration) throw mintError('expired');
      const { newest, minted } = await attempts.newestOf(id, tx);
      const known = newest && { ...attemptOf(newest), hint: newest.hint };
      const standing = claimable(registration);
      const refusal = mintRefusal(standing, { newest: known, minted, hint }, now);
      if (refusal) throw mintError(refusal);
      if ((await attempts.liveOf(hint, id, tx)) >= mostLiveAttempts) throw mintError('too_many');
      const expiresAt = Math.min(now + attemptMs, registration.expiresAt);
      await attempts.supersede(id, tx);
      // Whoever was vouched for before must not be bound to the one who answers this attempt.
      const isNews = registration.issuer !== '' || issued.issuer !== '';
      if (isNews && registration.kind !== 'identity_assertion') {
        const { preScopes: pre, postScopes: post } = registration;
        const postScopes = within ? within({ pre, post }).post : post;
        await registrations.change(id, { ...issued, postScopes }, tx);
      }
      await attempts.add(
        {
          ...{ id: attempt, registration: id, hint, wrong: 0, user: null, state: 'initiated' },
          token_hash: secretHash(token),
          typed_code: codes.hash(attempt, userCode),
          interval_ms: pollIntervalMs,
          polled_at: null,
          completed_at: null,
          delivered_at: null,
          created_at: now,
          expires_at: expiresAt,
        },
        tx,
      );
      const from = registrationStatus(standing, minted > 0, now);
      await notes.requested(registration, { attempt, hint, from }, tx);
      return { expiresAt };
    });
    notes.wake();
    const verificationUri = addresses.url(`/agent/claim?claim_attempt_token=${token}`);
    return { id: attempt, userCode, verificationUri, expiresAt };
  }

  /** Do something with an attempt; with the right code, its registration is claimed. */
  async act(attemptId: string, deed: Act): Promise<Outcome> {
    const { place, attempts, registrations, revocations, notes, tell } = this.#parts;
    const letter = 'isRight' in deed && deed.isRight ? await this.#letter(attemptId) : undefined;
    const done = await place.store.transaction(async (tx) => {
      const now = place.now();
      const row = await attempts.find(attemptId, tx);
      const registration = row && (await registrations.find(row.registration, tx));
      if (!row || !registration) return undefined;
      // The registration may be over while its attempt is not.
      const status = registrationStatus(claimable(registration), true, now);
      if (status === 'expired' || status === 'revoked') {
        return {
          row,
          outcome: { attempt: attemptOf(row), refused: 'expired' },
        } as const;
      }
      const outcome = act(attemptOf(row), deed, now);
      const { state, wrong, user } = outcome.attempt;
      if (state !== row.state || wrong !== row.wrong || (user || null) !== row.user) {
        const completed = state === 'completed' && !outcome.refused;
        await attempts.change(
          row.id,
          { state, wrong, user: user || null, ...(completed && { completed_at: now }) },
          tx,
        );
        if (completed) await bindToPerson(registration, { user, now }, this.#parts, tx);
        if (completed && letter !== undefined) await tell.send(letter, tx);
        if (state !== row.state) await notes.became(registration, row, outcome.attempt, tx);
      }
      return { row, outcome };
    });
    if (!done)
      return {
        attempt: { state: 'superseded', wrong: 0, user: '', expiresAt: 0 },
        refused: 'superseded',
      };
    const { row, outcome } = done;
    if (outcome.attempt.state !== row.state) {
      notes.wake();
      if (outcome.attempt.state === 'completed') await revocations.follow();
    }
    return outcome;
  }

  /** What the person is told once the attempt is completed. */
  async #letter(attemptId: string): Promise<string | undefined> {
    const { attempts, registrations, tell } = this.#parts;
    const row = await attempts.find(attemptId);
    const registration = row && (await registrations.find(row.registration));
    return registration && tell.prepare(registration, row.hint);
  }
}

/** What of a registration decides about its claim. */
export function claimable({ claimedAt, revokedAt, expiresAt }: Registration): Claimable {
  return { claimedAt: claimedAt ?? 0, revokedAt: revokedAt ?? 0, expiresAt };
}

/** What of a row the machine decides about. */
export function attemptOf({ state, wrong, user, expires_at }: AttemptRow): Outcome['attempt'] {
  return { state, wrong, user: user ?? '', expiresAt: expires_at };
}

/** Whether it is this person to whom an attempt is bound. */
export function isMeantFor({ hint }: Pick<AttemptRow, 'hint'>, { email }: Person): boolean {
  return hint === email;
}
