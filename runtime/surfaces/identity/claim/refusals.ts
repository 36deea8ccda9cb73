import type { ServiceError } from '#contract/errors';
import { refusedRegistration } from '../registration/register.ts';
import type { Refusal } from './attempt.ts';
import type { MintRefusal, RegistrationStatus } from './claiming.ts';

const inFlight = { error_aliases: ['claimed_or_in_flight'] };

/** What agents are told of a registration that cannot be claimed any more. */
export function overRefusal(
  status: Exclude<RegistrationStatus, 'unclaimed' | 'pending_claim'>,
): ServiceError {
  switch (status) {
    case 'claimed':
      return refusedRegistration('already_claimed', 409, 'it is claimed already', inFlight);
    case 'expired': {
      const message = 'nobody has claimed it within a day; register again';
      return refusedRegistration('claim_expired', 410, message, { status });
    }
    case 'revoked': {
      const message = 'the registration was revoked; register again';
      return refusedRegistration('claim_revoked', 410, message, { status });
    }
  }
}

/** Why no new attempt is made. */
export function mintError(refusal: MintRefusal): ServiceError {
  switch (refusal) {
    case 'claimed':
    case 'expired':
    case 'revoked':
      return overRefusal(refusal);
    case 'hint_is_fixed': {
      const message = 'somebody has agreed already, so the address cannot be changed now';
      return refusedRegistration('claimed_or_in_flight', 409, message, {
        error_aliases: ['already_claimed'],
      });
    }
    case 'too_many':
      return refusedRegistration(
        'too_many_attempts',
        429,
        'this registration has had too many attempts; register again',
      );
  }
}

/** Why a code that an agent hands in claims nothing. */
export function completionError(refusal: Refusal, remaining: number): ServiceError {
  switch (refusal) {
    case 'not_confirmed':
    case 'other_person':
      return refusedRegistration(
        'claim_not_confirmed',
        409,
        'nobody has agreed on the page yet; the code is shown there afterwards',
      );
    case 'wrong_code':
      return refusedRegistration('invalid_user_code', 401, 'this is not the code of the page', {
        attempts_remaining: remaining,
      });
    case 'expired':
    case 'superseded':
      return refusedRegistration(
        'user_code_expired',
        410,
        'the attempt is over; ask for a new one at the claim endpoint',
      );
    case 'denied':
      return refusedRegistration('claim_denied', 403, 'the person has refused');
    case 'locked':
      return refusedRegistration(
        'too_many_attempts',
        429,
        'too many wrong codes; ask for a new attempt at the claim endpoint',
      );
    case 'completed':
      return overRefusal('claimed');
  }
}

/** Nobody can sign in here, so nobody can claim anything. */
export function disabledRefusal(): ServiceError {
  const message = 'people cannot sign in at this server, so nothing can be claimed';
  return refusedRegistration('auth_method_disabled', 403, message);
}

export function unknownClaim(code: 'invalid_claim_token' | 'invalid_claim'): ServiceError {
  const status = code === 'invalid_claim' ? 400 : 401;
  return refusedRegistration(code, status, 'the claim token is missing, or is none of this server');
}
