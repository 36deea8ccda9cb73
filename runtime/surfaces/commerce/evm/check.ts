import type { PaymentRequirements } from '../x402/payment-required.ts';
import type { Authorization, PermitTerms } from './authorization.ts';
import type { ChainFault } from './faults.ts';
import { proxies } from './permit.ts';

/** So long an authorization must still be good for, in seconds: a settlement takes a block or two. */
const leastSeconds = 6n;

type Wanted = Pick<PaymentRequirements, 'payTo' | 'amount' | 'asset'> & {
  readonly extra: Pick<PaymentRequirements['extra'], 'facilitatorAddress'>;
};

/** An order with one of these is too late, and else in order: it may have paid while it was good. */
export const lateFaults: ReadonlySet<string | undefined> = new Set<ChainFault>([
  'invalid_exact_evm_payload_authorization_valid_before',
  'permit2_deadline_expired',
]);

/** What of an order can be judged without the chain; the first fault wins, and its end comes last. */
export function faultOf(
  order: Authorization,
  wanted: Wanted,
  nowMs: number,
): ChainFault | undefined {
  const { permit, to, value, validAfter, validBefore } = order;
  if (permit !== undefined) return faultOfPermit({ ...order, permit }, wanted, nowMs);
  const { payTo, amount } = wanted;
  const now = secondsOf(nowMs);
  if (!isSame(to, payTo)) return 'invalid_exact_evm_recipient_mismatch';
  if (BigInt(validAfter) > now) return 'invalid_exact_evm_payload_authorization_valid_after';
  if (value !== amount) return 'invalid_exact_evm_payload_authorization_value_mismatch';
  if (BigInt(validBefore) < now + leastSeconds) {
    return 'invalid_exact_evm_payload_authorization_valid_before';
  }
  return undefined;
}

function faultOfPermit(
  { permit, ...order }: Authorization & { readonly permit: PermitTerms },
  { payTo, amount, asset, extra }: Wanted,
  nowMs: number,
): ChainFault | undefined {
  const now = secondsOf(nowMs);
  const { facilitatorAddress } = extra;
  const proxy = facilitatorAddress === undefined ? proxies.permit2 : proxies.upto;
  if (!isSame(permit.spender, proxy)) return 'invalid_permit2_spender';
  if (!isSame(order.to, payTo)) return 'invalid_permit2_recipient_mismatch';
  if (!isSame(permit.facilitator ?? '', facilitatorAddress ?? '')) {
    return 'upto_facilitator_mismatch';
  }
  if (BigInt(order.validAfter) > now) return 'permit2_not_yet_valid';
  if (order.value !== amount) return 'permit2_amount_mismatch';
  if (!isSame(permit.token, asset)) return 'permit2_token_mismatch';
  if (BigInt(order.validBefore) < now + leastSeconds) return 'permit2_deadline_expired';
  return undefined;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function secondsOf(ms: number): bigint {
  return BigInt(Math.floor(ms / 1000));
}
