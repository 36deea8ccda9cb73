import type { ProblemType } from '../evm/faults.ts';

/** Why a card did not pay, as far as whoever pays may know it. */
export type CardFault =
  | 'card_declined'
  | 'card_insufficient_funds'
  | 'card_expired'
  | 'card_action_required'
  | 'card_token_refused'
  | 'card_not_completed';

/** The same in the words of MPP. */
export const cardProblems: Readonly<Record<string, ProblemType>> = {
  card_declined: 'verification-failed',
  card_insufficient_funds: 'payment-insufficient',
  card_expired: 'verification-failed',
  card_action_required: 'payment-action-required',
  card_token_refused: 'verification-failed',
  card_not_completed: 'verification-failed',
  card_challenge_used: 'invalid-challenge',
} satisfies Record<CardFault | 'card_challenge_used', ProblemType>;

/** That a card was stolen is for the bank to say, and not to whoever holds it. */
const told: Readonly<Record<string, CardFault>> = {
  insufficient_funds: 'card_insufficient_funds',
  withdrawal_count_limit_exceeded: 'card_insufficient_funds',
  expired_card: 'card_expired',
  authentication_required: 'card_action_required',
};

/** What of a refusal is told, by the codes of the processor. */
export function cardFault(code: string | undefined, declineCode: string | undefined): CardFault {
  return told[declineCode ?? ''] ?? told[code ?? ''] ?? 'card_declined';
}
