import { randomUUID } from 'node:crypto';
import { PaymentRequired, type PaymentTerms } from '#contract/payment/payment';
import type { ProblemType } from '../evm/faults.ts';
import { acceptedWays } from '../mpp/accept-payment.ts';
import {
  type Challenge,
  headerOf as challengeHeader,
  encoded,
  encodedOnce,
  newChallenge,
} from '../mpp/challenge.ts';
import { type Extensions, paymentIdentifier } from '../x402/extensions.ts';
import { type Notary, offersTold } from '../x402/notary.ts';
import { headerOf, type X402PaymentRequired } from '../x402/payment-required.ts';
import type { Offer } from './offer.ts';
import type { Sale } from './sale.ts';

const problems = 'https://paymentauth.org/problems/';

/** Why something is not paid (yet). */
export interface Unpaid {
  /** For clients of x402: a sentence, or a code where a payment was refused. */
  readonly error: string;
  /** For clients of MPP. */
  readonly problem: ProblemType;
  readonly detail: string;
  /** What was shown is no payment at all, or its payer has to do something first (x402 v2, HTTP transport). */
  readonly status?: 400 | 412;
}

/** What is missing for something to be paid. */
export const nothingSetUp =
  'this cannot be paid here yet: its operator has to set SERVICE_X402_PAY_TO, and SERVICE_X402_FACILITATOR_URL or SERVICE_X402_RPC_URL with SERVICE_X402_PRIVATE_KEY, for stablecoins, or SERVICE_CARD_SECRET_KEY and SERVICE_CARD_NETWORK_ID for cards';

/** Nothing was sent along. */
export const notPaidYet: Unpaid = {
  error: 'Payment required',
  problem: 'payment-required',
  detail: 'Payment is required.',
};

const titles: Readonly<Record<ProblemType, string>> = {
  'payment-required': 'Payment Required',
  'malformed-credential': 'Malformed Credential',
  'invalid-challenge': 'Invalid Challenge',
  'verification-failed': 'Verification Failed',
  'payment-insufficient': 'Payment Insufficient',
  'payment-expired': 'Payment Expired',
  'invalid-payload': 'Invalid Payload',
  'payment-action-required': 'Payment Action Required',
};

/** Makes the answer that every client can pay. */
export interface Cashier {
  readonly challengeKey: () => Uint8Array;
  readonly now: () => number;
  /** Signs what is asked for and what was paid; absent where nobody does. */
  readonly notary?: Notary;
}

/** The refusal to do something unpaid, with all ways to pay for it; nothing is kept of it. */
export function paymentRequired(
  sale: Sale,
  cashier: Cashier,
  unpaid: Unpaid = notPaidYet,
): PaymentRequired {
  const isPayable = sale.offer.rails.length > 0;
  const { error, problem, status } = unpaid;
  const detail = isPayable ? unpaid.detail : `${unpaid.detail} But ${nothingSetUp}.`;
  const x402 = requirementsOf(sale, error);
  const challenges = challengesOf(sale, cashier);
  const [first] = challenges;
  const told = {
    type: `${problems}${problem}`,
    title: titles[problem],
    status: 402,
    detail,
  } as const;
  const mpp: PaymentTerms['mpp'] = {
    httpStatus: 402,
    // Inside of JSON-RPC the request is an object (draft-payment-transport-mcp-00).
    challenges: challenges.map(({ told: { request: _, ...rest }, request }) => {
      return { ...rest, request };
    }),
    problem: { ...told, ...(first && { challengeId: first.told.id }) },
  };
  const headers = {
    'cache-control': 'no-store',
    ...(x402 && { 'payment-required': headerOf(x402) }),
    ...(challenges.length > 0 && {
      'www-authenticate': challenges.map((each) => challengeHeader(each.told)).join(', '),
    }),
    link: '</openapi.json>; rel="service-desc"',
  };
  return new PaymentRequired({ ...(x402 && { x402 }), mpp } as PaymentTerms, headers, status);
}

interface Told {
  readonly url: string;
  readonly offers: Sale['offers'];
  readonly x402: X402PaymentRequired | undefined;
}

/** What whoever has not paid yet was told last of each offer: it is the same for all who ask. */
const lastTold = new WeakMap<Offer, Told>();

/** What a client of x402 is told. */
function requirementsOf(sale: Sale, error: string): X402PaymentRequired | undefined {
  if (error !== notPaidYet.error) return madeRequirements(sale, error);
  const { offer, url, offers } = sale;
  const last = lastTold.get(offer);
  if (last?.url === url && areSame(last.offers, offers)) return last.x402;
  const x402 = madeRequirements(sale, error);
  lastTold.set(offer, { url, offers, x402 });
  return x402;
}

function areSame(one: Sale['offers'] = [], other: Sale['offers'] = []): boolean {
  return (
    one.length === other.length && one.every((each, at) => each.signature === other[at]?.signature)
  );
}

function madeRequirements(
  { offer, url, offers }: Sale,
  error: string,
): X402PaymentRequired | undefined {
  const { accepts, operation } = offer;
  if (accepts.length === 0) return undefined;
  const description = operation.title ?? operation.description;
  const extensions: Extensions = {
    ...extensionsOf(offer),
    // It differs from one answer to the next: what a client gives back of it is not compared.
    ...(offers && { 'offer-receipt': offersTold(offers) }),
  };
  const resource = {
    url,
    ...(description !== undefined && { description }),
    mimeType: 'application/json',
  };
  return { x402Version: 2, error, resource, accepts, extensions };
}

/** What clients of x402 may add to a payment, and what is said of the call itself. */
export function extensionsOf({ discovery }: Pick<Offer, 'discovery'>): Extensions {
  return { 'payment-identifier': paymentIdentifier, bazaar: discovery };
}

/** A challenge as it travels, and what it asks for. */
interface Asked {
  readonly told: Challenge;
  readonly request: object;
}

/** One challenge for each way of MPP that the client takes, best first. */
function challengesOf(sale: Sale, { challengeKey, now }: Cashier): readonly Asked[] {
  const { offer, realm, digest, preference } = sale;
  const ways = offer.rails.flatMap((rail) => {
    const request = rail === 'card' ? offer.card : offer.charge;
    if (rail === 'x402' || request === undefined) return [];
    return [{ method: rail === 'card' ? 'stripe' : 'evm', intent: 'charge', request }];
  });
  return acceptedWays(preference, ways).map(({ method, intent, request }): Asked => {
    const open = () => ({
      ...{ realm, method, intent },
      request: encodedOnce(request),
      expires: new Date(now() + offer.timeoutMs).toISOString(),
      // What is paid for: the same challenge buys nothing else. And no two are the same: each is used once.
      opaque: encoded({ nonce: randomUUID(), sale: digest }),
    });
    return { told: newChallenge(challengeKey(), open), request };
  });
}
