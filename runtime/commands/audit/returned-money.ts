import { isObject } from '#contract/json';
import { parseCanonical, type StoredEntry } from '../../audit/verify/verify.ts';

/** What is known of money after it has arrived: that it is not, or will not be, here any more. */
export interface Returned {
  /** In words, with who says so. */
  readonly said: string;
}

/** What a log says of payments. */
export interface LogOfPayments {
  /** Hears of each entry, in their order. */
  readonly hear: (entry: Pick<StoredEntry, 'seq' | 'text'>) => void;
  /** Whether it holds that a payment has arrived. */
  holds(id: unknown): boolean;
  /** The last that it says of a payment that had arrived; nothing where it says no more. */
  since(id: unknown): Returned | 'here' | undefined;
}

const states: Readonly<Record<string, string>> = {
  refund_due: 'it is due to be given back',
  refunded: 'it was given back',
  disputed: 'a bank has taken it back',
};

const actions: Readonly<Record<string, string>> = {
  PAYMENT_REFUND_DUE: 'refund_due',
  PAYMENT_REFUNDED: 'refunded',
  PAYMENT_DISPUTED: 'disputed',
};

/** What a receipt itself says, which its proof does not cover. */
export function returnedBySelf(state: unknown): Returned | undefined {
  if (typeof state !== 'string' || !Object.hasOwn(states, state)) return undefined;
  return { said: `${states[state]}, as the receipt says` };
}

/** Read what a log says of payments after they have arrived. */
export function readPayments(): LogOfPayments {
  const arrived = new Set<unknown>();
  const last = new Map<unknown, Returned | 'here'>();
  return {
    hear({ seq, text }) {
      // Nearly all entries are of something else.
      if (!text.includes('PAYMENT_')) return;
      const { action, payload } = parseCanonical(text) ?? {};
      const id = isObject(payload) ? payload['claim_id'] : undefined;
      if (typeof action !== 'string' || id === undefined) return;
      if (action === 'PAYMENT_SETTLED') arrived.add(id);
      if (action === 'PAYMENT_DISPUTE_WON') last.set(id, 'here');
      const state = Object.hasOwn(actions, action) ? actions[action] : undefined;
      if (state !== undefined) {
        last.set(id, { said: `${states[state]}, as entry ${seq} of the log says` });
      }
    },
    holds: (id) => arrived.has(id),
    since: (id) => last.get(id),
  };
}
