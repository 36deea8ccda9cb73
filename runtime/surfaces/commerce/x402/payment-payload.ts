import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#contract/json';
import { repeatedMember } from '#contract/text/repeated-member';
import { type Authorization, readAuthorization } from '../evm/authorization.ts';
import { readPermit } from '../evm/permit.ts';
import { longestProof } from '../numbers.ts';
import { type Extensions, readEcho } from './extensions.ts';
import type { PaymentRequirements } from './payment-required.ts';

/** What is wrong with a payment before anything of it is checked (x402 v2, error codes). */
export type PayloadFault =
  | 'invalid_payload'
  | 'invalid_x402_version'
  | 'unsupported_scheme'
  | 'extension_echo_mismatch'
  | 'No matching payment requirements';

/** What a payment of x402 says. */
export interface ShownPayment {
  readonly authorization: Authorization;
  /** What it says to pay, of the ways that it was offered. */
  readonly requirements: PaymentRequirements;
  /** How its client calls it. */
  readonly identifier: string | undefined;
}

/** The order to pay in a payment of x402, or why it is none for what is asked (x402 v2, PaymentPayload). */
export function readPayload(
  shown: unknown,
  offered: readonly PaymentRequirements[],
  told: Extensions,
): ShownPayment | PayloadFault {
  const value = typeof shown === 'string' ? unwrapped(shown) : shown;
  if (!isObject(value) || !isObject(value['payload'])) return 'invalid_payload';
  if (value['x402Version'] !== 2) return 'invalid_x402_version';
  const { accepted, payload } = value;
  if (!isObject(accepted)) return 'invalid_payload';
  if (!offered.some(({ scheme }) => scheme === accepted['scheme'])) return 'unsupported_scheme';
  const requirements = offered.find((each) => isDeepStrictEqual(accepted, { ...each }));
  if (requirements === undefined) return 'No matching payment requirements';
  const authorization = readOrder(payload, requirements);
  if (authorization === undefined) return 'invalid_payload';
  const echo = readEcho(value['extensions'], told);
  if (typeof echo === 'string') return echo;
  return { authorization, requirements, identifier: echo.identifier };
}

/** The order in a payment, in the form that was asked for; nothing where it is none. */
export function readOrder(
  { authorization, permit2Authorization, signature }: Readonly<Record<string, unknown>>,
  { extra }: Pick<PaymentRequirements, 'extra'>,
): Authorization | undefined {
  return extra.assetTransferMethod === 'permit2'
    ? readPermit(permit2Authorization, signature)
    : readAuthorization(authorization, signature);
}

/** The decoder passes over what is not base64, and would read one payment out of several texts. */
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

function unwrapped(text: string): unknown {
  if (text.length > longestProof || !base64.test(text)) return undefined;
  try {
    const json = Buffer.from(text, 'base64').toString();
    const value: unknown = JSON.parse(json);
    // Readers differ in which of the two they take.
    return repeatedMember(json) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
