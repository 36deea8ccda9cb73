import { isObject } from '#contract/json';

/**
 * A signed order to move tokens once: to the token itself (EIP-3009, TransferWithAuthorization), or to
 * Permit2, which moves them for it.
 */
export interface Authorization {
  readonly from: string;
  readonly to: string;
  /** In the smallest unit. */
  readonly value: string;
  /** Seconds since the epoch. */
  readonly validAfter: string;
  readonly validBefore: string;
  /**
   * A token takes each once from each payer: 32 bytes in hexadecimal, and of Permit2 a decimal number.
   */
  readonly nonce: string;
  /** Of the payer: 65 bytes in hexadecimal, or what its contract takes. */
  readonly signature: string;
  /** Absent of one to the token itself. */
  readonly permit?: PermitTerms;
}

/** What an order to Permit2 says besides. */
export interface PermitTerms {
  readonly token: string;
  /** Who may ask for the money. */
  readonly spender: string;
  /** The account that may settle for less than the most (scheme upto); absent where nothing is left open. */
  readonly facilitator?: string;
}

const forms = {
  from: /^0x[0-9a-fA-F]{40}$/,
  to: /^0x[0-9a-fA-F]{40}$/,
  value: /^(0|[1-9][0-9]{0,77})$/,
  validAfter: /^(0|[1-9][0-9]{0,77})$/,
  validBefore: /^(0|[1-9][0-9]{0,77})$/,
  nonce: /^0x[0-9a-fA-F]{64}$/,
  signature: /^0x(?:[0-9a-fA-F]{2}){65,8192}$/,
} as const satisfies Record<Exclude<keyof Authorization, 'permit'>, RegExp>;

/** Of the type uint256. */
const largest = 2n ** 256n - 1n;

/** Read one; nothing where a member is missing or is something else. */
export function readAuthorization(value: unknown, signature: unknown): Authorization | undefined {
  if (!isObject(value)) return undefined;
  const given: Record<string, unknown> = { ...value, signature };
  const isRead = Object.entries(forms).every(([name, form]) => {
    const member = given[name];
    return typeof member === 'string' && form.test(member);
  });
  if (!isRead) return undefined;
  const numbers = [given['value'], given['validAfter'], given['validBefore']];
  if (numbers.some((each) => BigInt(String(each)) > largest)) return undefined;
  const { from, to, value: amount, validAfter, validBefore, nonce } = given;
  return { from, to, value: amount, validAfter, validBefore, nonce, signature } as Authorization;
}
