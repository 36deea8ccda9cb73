import { type Hex, keccak256, stringToBytes } from 'viem';
import type { PaymentRequired } from '#contract/payment/payment';
import { cardProblems } from '../card/card-faults.ts';
import { readToken } from '../card/payment-token.ts';
import { readAuthorization } from '../evm/authorization.ts';
import { faultOf, lateFaults } from '../evm/check.ts';
import { type ProblemType, problemTypeOf } from '../evm/faults.ts';
import { permit2 } from '../evm/permit.ts';
import { signatureFault } from '../evm/signer-of.ts';
import { decoded, encoded, isOurs } from '../mpp/challenge.ts';
import { readCredential } from '../mpp/credential.ts';
import type { Accepted } from '../offers/accepted.ts';
import type { Sale } from '../offers/sale.ts';
import type { ChainSettings } from '../offers/settings.ts';
import { type Cashier, extensionsOf, paymentRequired } from '../offers/terms.ts';
import type { Payment } from '../records/payment.ts';
import type { ShownProof } from '../records/shown-proof.ts';
import { readPayload } from '../x402/payment-payload.ts';
import { requirementsFor } from '../x402/payment-required.ts';
import { notSetUp } from './not-set-up.ts';

/** A payment that was shown, and why it is too late for it to be made now; its record is not. */
export interface ReadPayment {
  readonly payment: Payment;
  readonly late?: PaymentRequired;
}

/**
 * Read what was shown to pay for a sale, and check all of it that can be checked here. That its time
 * is over is for the caller to judge: what has paid while it was good is answered from the record.
 *
 * @throws PaymentRequired that says what is wrong with it
 * @throws ServiceError 503 where nothing is set up that takes it
 */
export function readPayment(
  shown: ShownProof,
  sale: Sale,
  { chain, card }: Accepted,
  cashier: Cashier,
): ReadPayment {
  if (shown.rail === 'card') {
    if (card === undefined) throw notSetUp();
    return { payment: { ...shown, sale } };
  }
  const read =
    shown.rail === 'x402'
      ? { payment: fromX402(shown.value, sale, cashier) }
      : fromMpp(shown.value, sale, cashier, chain);
  const { payment } = read;
  const isTaken = payment.rail === 'card' ? card !== undefined : chain.isPayable;
  if (!isTaken) throw notSetUp();
  if (payment.rail === 'card') return read;
  const { authorization, requirements } = payment;
  const own = faultOf(authorization, requirements, cashier.now());
  const isLate = lateFaults.has(own);
  const fault = (isLate ? undefined : own) ?? signatureFault(authorization, chain);
  if (fault !== undefined) throw refused(sale, cashier, fault);
  return isLate && own !== undefined ? { late: refused(sale, cashier, own), ...read } : read;
}

/** The refusal of a payment, in the words of both protocols. */
export function refused(sale: Sale, cashier: Cashier, fault: string) {
  const isCard = Object.hasOwn(cardProblems, fault);
  const problem = (isCard ? cardProblems[fault] : undefined) ?? problemTypeOf(fault);
  if (fault === 'permit2_allowance_required') {
    const detail = `Permit2 may not move so much of the token yet: approve ${permit2} first.`;
    return paymentRequired(sale, cashier, { error: fault, problem, detail, status: 412 });
  }
  const detail = `The payment was refused: ${fault}.`;
  return paymentRequired(sale, cashier, { error: fault, problem, detail });
}

/** What was shown is none, so that another signature would not help (x402 v2, HTTP transport). */
function noPayment(sale: Sale, cashier: Cashier) {
  const detail = 'The payment is not base64 of JSON with a payment of x402 in it.';
  const [error, problem] = ['invalid_payload', 'malformed-credential'] as const;
  return paymentRequired(sale, cashier, { error, problem, detail, status: 400 });
}

function fromX402(shown: unknown, sale: Sale, cashier: Cashier): Payment {
  const { accepts } = sale.offer;
  if (accepts.length === 0) throw refused(sale, cashier, 'unsupported_scheme');
  const read = readPayload(shown, accepts, extensionsOf(sale.offer));
  if (read === 'invalid_payload') throw noPayment(sale, cashier);
  if (typeof read === 'string') throw refused(sale, cashier, read);
  return { rail: 'x402', sale, ...read, challengeId: '' };
}

function fromMpp(shown: unknown, sale: Sale, cashier: Cashier, chain: ChainSettings): ReadPayment {
  const wrong = (problem: ProblemType, detail: string) =>
    paymentRequired(sale, cashier, { error: 'invalid_payload', problem, detail });
  const read = readCredential(shown);
  if (read === undefined) {
    const detail = 'The credential is not base64url of JSON with a challenge.';
    throw wrong('malformed-credential', detail);
  }
  const { challenge, payload } = read;
  if (!isOurs(cashier.challengeKey(), challenge)) {
    throw wrong('invalid-challenge', 'The challenge was not made here, or was changed.');
  }
  const isCard = challenge.method === 'stripe';
  const request = isCard ? sale.offer.card : sale.offer.charge;
  const isForThis =
    request !== undefined &&
    challenge.request === encoded(request) &&
    decoded(challenge.opaque)?.['sale'] === sale.digest;
  if (!isForThis) throw wrong('invalid-challenge', 'The challenge was made for something else.');
  const expiresAt = Date.parse(challenge.expires);
  const isLate = expiresAt <= cashier.now();
  const late = isLate && { late: wrong('payment-expired', 'The challenge has expired.') };
  const common = { sale, challengeId: challenge.id };
  if (isCard) {
    const token = readToken(payload);
    if (token !== undefined) {
      return { payment: { ...common, rail: 'card', token, expiresAt }, ...late };
    }
    throw wrong('invalid-payload', 'The payload has no shared payment token in `spt`.');
  }
  const authorization =
    payload['type'] === 'authorization'
      ? readAuthorization(payload, payload['signature'])
      : undefined;
  if (authorization === undefined) {
    throw wrong('invalid-payload', 'The payload is no signed authorization of EIP-3009.');
  }
  if (authorization.nonce.toLowerCase() !== nonceOf(challenge.id, challenge.realm)) {
    throw wrong('invalid-payload', 'The nonce is not that of the challenge.');
  }
  const requirements = requirementsFor(
    sale.offer.charge?.amount ?? '',
    chain,
    sale.offer.timeoutMs,
  );
  return { payment: { ...common, rail: 'mpp', authorization, requirements }, ...late };
}

/** What the chain takes once for a challenge (draft-evm-charge-00, credential type authorization). */
function nonceOf(id: string, realm: string): Hex {
  return keccak256(stringToBytes(`${id}${realm}`));
}
