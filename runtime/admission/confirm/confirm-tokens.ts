import type { Caller } from '#contract/caller';
import type { ConfirmTokens } from './confirm-token.ts';
import type { RequestStates } from './sealed-state.ts';

/** Tokens that belong to one call of one caller and expire. */
export function confirmTokens(states: RequestStates): ConfirmTokens {
  const bindingOf = (target: string, { tenant, subject }: Caller) => ({
    ...{ method: 'confirm_token', tenant, subject, target },
  });
  return {
    seal: (digest, caller) => states.seal(bindingOf(digest, caller), 0, undefined),
    open: (token, digest, caller) => states.open(token, bindingOf(digest, caller)),
  };
}
