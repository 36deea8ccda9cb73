import type { JsonObject } from '#contract/json';
import { pollIntervalMs } from '../numbers.ts';
import { timeText } from '../registration/answer.ts';
import type { MintedAttempt } from './claims.ts';

/** How a person comes to the page, in the terms of the device flow (RFC 8628 section 3.2). */
export function ceremonyMembers(
  { userCode, verificationUri, expiresAt }: MintedAttempt,
  now: number,
): JsonObject {
  return {
    user_code: userCode,
    verification_uri: verificationUri,
    // The code is never in it: a link that is clicked must not be all that it takes.
    verification_uri_complete: verificationUri,
    expires_in: Math.max(0, Math.floor((expiresAt - now) / 1000)),
    interval: pollIntervalMs / 1000,
  };
}

/** The attempt for agents that hand in the code of the page. */
export function linkMembers({ verificationUri, expiresAt }: MintedAttempt): JsonObject {
  return { verification_uri: verificationUri, expires_at: timeText(expiresAt) };
}

/** An attempt as an agent gets it that has asked for one, under the names of all dialects. */
export function attemptMembers(attempt: MintedAttempt, now: number): JsonObject {
  return {
    claim_attempt_id: attempt.id,
    status: 'initiated',
    expires_at: timeText(attempt.expiresAt),
    claim_attempt: ceremonyMembers(attempt, now),
    attempt: linkMembers(attempt),
  };
}
