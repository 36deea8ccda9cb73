import { mostAttempts } from '../numbers.ts';
import { type Attempt, isLive, stateOf } from './attempt.ts';

/** What of a registration decides about its claim. Times in milliseconds since the epoch, 0 for never. */
export interface Claimable {
  readonly claimedAt: number;
  readonly revokedAt: number;
  /** The end of the time in which it can be claimed. */
  readonly expiresAt: number;
}

export type RegistrationStatus = 'unclaimed' | 'pending_claim' | 'claimed' | 'expired' | 'revoked';

/** The status of a registration, told by its times and whether it has an attempt. */
export function registrationStatus(
  { revokedAt, claimedAt, expiresAt }: Claimable,
  hasAttempt: boolean,
  now: number,
): RegistrationStatus {
  if (revokedAt > 0) return 'revoked';
  if (claimedAt > 0) return 'claimed';
  if (expiresAt <= now) return 'expired';
  return hasAttempt ? 'pending_claim' : 'unclaimed';
}

/** What an agent that asks is told of its claim. */
export type ClaimStatus =
  | 'unclaimed'
  | 'pending'
  | 'confirmed'
  | 'claimed'
  | 'denied'
  | 'expired'
  | 'revoked';

/** `expired` where the newest attempt is over, though the registration may be alive. */
export function claimStatus(
  registration: Claimable,
  attempt: Pick<Attempt, 'state' | 'expiresAt'> | undefined,
  now: number,
): ClaimStatus {
  const status = registrationStatus(registration, attempt !== undefined, now);
  if (status !== 'pending_claim' || attempt === undefined) {
    return status === 'pending_claim' ? 'pending' : status;
  }
  switch (stateOf(attempt, now)) {
    case 'initiated':
    case 'opened':
      return 'pending';
    case 'confirmed':
      return 'confirmed';
    case 'denied':
      return 'denied';
    case 'completed':
    case 'superseded':
    case 'locked':
    case 'expired':
      return 'expired';
  }
}

/** Why no new attempt is made. */
export type MintRefusal = 'claimed' | 'expired' | 'revoked' | 'hint_is_fixed' | 'too_many';

export interface MintRequest {
  /** The newest attempt so far. */
  readonly newest: (Pick<Attempt, 'state' | 'expiresAt'> & { readonly hint: string }) | undefined;
  /** Attempts of this registration so far. */
  readonly minted: number;
  /** To whom the new one will be bound. */
  readonly hint: string;
}

/** Whether a registration may have a new attempt, which takes the place of the newest one. */
export function mintRefusal(
  registration: Claimable,
  { newest, minted, hint }: MintRequest,
  now: number,
): MintRefusal | undefined {
  const status = registrationStatus(registration, minted > 0, now);
  if (status === 'claimed' || status === 'expired' || status === 'revoked') return status;
  const isConfirmed = newest?.state === 'confirmed' && isLive(newest, now);
  if (isConfirmed && newest.hint !== hint) return 'hint_is_fixed';
  return minted >= mostAttempts ? 'too_many' : undefined;
}

/**
 * What a registration becomes when a person has claimed it: access tokens of before are worth
 * nothing from now on, nor are its identity assertions.
 */
export function claimedBy(
  user: string,
  { epoch }: { readonly epoch: number },
  now: number,
): {
  readonly user: string;
  readonly claimed_at: number;
  readonly not_before: number;
  readonly epoch: number;
} {
  return { user, claimed_at: now, not_before: now, epoch: epoch + 1 };
}
