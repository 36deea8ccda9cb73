import { isObject } from '#contract/json';
import type { Authorization, PermitTerms } from './authorization.ts';

/** Where Permit2 stands on every chain. */
export const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/** What asks Permit2 for the money of a payment, and pays nobody but whom its payer has named (x402 v2). */
export const proxies = {
  permit2: '0x402085c248EeA27D92E8b30b2C58ed07f9E20001',
  upto: '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002',
} as const;

const addressForm = /^0x[0-9a-fA-F]{40}$/;
const numberForm = /^(0|[1-9][0-9]{0,77})$/;
const signatureForm = /^0x(?:[0-9a-fA-F]{2}){65,8192}$/;

/** Of the type uint256. */
const largest = 2n ** 256n - 1n;

/** Read an order to Permit2 as x402 writes it; nothing where a member is missing or is something else. */
export function readPermit(value: unknown, signature: unknown): Authorization | undefined {
  if (!isObject(value) || !isObject(value['permitted']) || !isObject(value['witness'])) {
    return undefined;
  }
  const { from, spender, nonce, deadline, permitted, witness } = value;
  const { token, amount } = permitted as Readonly<Record<string, unknown>>;
  const { to, facilitator, validAfter } = witness as Readonly<Record<string, unknown>>;
  const addresses = [from, spender, token, to, facilitator ?? to];
  const numbers = [nonce, deadline, amount, validAfter];
  if (!addresses.every((each) => isForm(each, addressForm))) return undefined;
  if (!numbers.every((each) => isForm(each, numberForm) && BigInt(each) <= largest)) {
    return undefined;
  }
  if (!isForm(signature, signatureForm)) return undefined;
  return {
    ...{ from, to, value: amount, validAfter, validBefore: deadline, nonce, signature },
    permit: { token, spender, ...(facilitator !== undefined && { facilitator }) },
  } as Authorization;
}

function isForm(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

/** The opposite: as a facilitator reads it. */
export function writtenPermit(order: Authorization, { token, spender, facilitator }: PermitTerms) {
  const { from, to, value: amount, validAfter, validBefore: deadline, nonce } = order;
  return {
    ...{ from, permitted: { token, amount }, spender, nonce, deadline },
    witness: { to, ...(facilitator !== undefined && { facilitator }), validAfter },
  };
}
