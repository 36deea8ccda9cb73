import { createHash } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import { nameOfToken } from '../card/payment-token.ts';
import { leastName } from '../numbers.ts';
import type { Payment } from './payment.ts';

/**
 * What only the client that has made a payment knows of it, hashed; nothing where it has told nothing.
 * The rest of a payment of EIP-3009 stands on the chain for everybody to read, so that whoever shows
 * that alone gets no answer for which somebody else has paid.
 */
export function shownName(
  payment: Payment,
  { idempotencyKey, http }: CallContext,
): string | undefined {
  const { identifier, challengeId } = payment;
  const key = idempotencyKey ?? http?.headers['idempotency-key'];
  const name = nameOf(identifier, challengeId, typeof key === 'string' ? key : undefined);
  if (name === undefined) return undefined;
  const payer =
    payment.rail === 'card' ? nameOfToken(payment.token) : payment.authorization.from.toLowerCase();
  return createHash('sha256')
    .update([payer, ...name].join('\n'))
    .digest('base64url');
}

function nameOf(identifier: string | undefined, challengeId: string, key: string | undefined) {
  if (identifier !== undefined) return ['identifier', identifier];
  if (challengeId !== '') return ['challenge', challengeId];
  return key === undefined || key.length < leastName ? undefined : ['key', key];
}
