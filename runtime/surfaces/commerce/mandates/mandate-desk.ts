import { isDeepStrictEqual } from 'node:util';
import canonicalize from 'canonicalize';
import type { JWK } from 'jose';
import type { CallContext } from '#contract/caller';
import { authorOf } from '#contract/house/audit-events';
import type { House } from '#contract/house/house';
import type { JsonObject } from '#contract/json';
import { isObject } from '#contract/json';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { SeenSession } from '../checkout/seen-session.ts';
import { type Bought, isDue, isMerchant, requireConstraints } from './constraints.ts';
import { type Claims, type Mandate, requireSignature, verifyMandate } from './mandate-chain.ts';
import { MandateError } from './mandate-error.ts';
import { recurrenceOf, requireRecurrence } from './recurrence.ts';
import { digestOf, readJwt } from './sd-jwt.ts';
import type { PermissionUse, ShownMandates } from './shown-mandates.ts';
import { trustedKeys } from './trusted-keys.ts';

/** What came to allow a purchase. */
export interface ShownMandate {
  readonly session: SeenSession;
  /** The session as its buyer is told of it now. */
  readonly shown: JsonObject;
  readonly mandate: string;
  readonly paymentMandate: string | undefined;
  /** With what it is paid: `card`, `x402`. */
  readonly instrument: string;
}

/** Signs what is sold, and looks at the mandates of those who buy it (AP2 0.2, merchant). */
export interface MandateDesk {
  /** A session with the signature of this server over it (UCP 2026-08-25, AP2 mandates). */
  authorized(session: JsonObject, context: CallContext): Promise<JsonObject>;
  /** @throws MandateError where the mandates do not allow what is bought */
  require(shown: ShownMandate, context: CallContext): Promise<void>;
  /** The receipt for the mandate of a session, once that is paid (AP2 0.2, checkout receipt). */
  receipt(session: SeenSession, order: string, context: CallContext): Promise<string | undefined>;
}

export interface MandateDeskParts {
  /** Addresses of the keys of those who are believed. */
  readonly issuers: readonly string[];
  readonly kept: ShownMandates;
  readonly events: CommerceEvents;
  readonly url: (path: string, context: Pick<CallContext, 'caller'>) => string;
  readonly house: Pick<House, 'signer' | 'outbound' | 'now'>;
}

/** Make it. */
export function createMandateDesk(parts: MandateDeskParts): MandateDesk {
  const { issuers, kept, events, url, house } = parts;
  const { signer, outbound, now } = house;
  const baseOf = (context: CallContext) => url('', context).replace(/\/$/, '');
  const looked = async (
    kind: 'checkout' | 'payment',
    text: string,
    { session: { row, total } }: ShownMandate,
    context: CallContext,
    check: (mandate: Mandate) => Promise<void> | void,
  ): Promise<Mandate> => {
    const facts = { ...authorOf(context.caller), correlation_id: context.callId };
    const payload = { session_id: row.id, amount: String(total), kind };
    try {
      const base = baseOf(context);
      const audiences = [base, new URL(base).host, `${base}/`];
      const trusted = trustedKeys(issuers, outbound.of(row.tenant));
      const mandate = await verifyMandate(text, { kind, trusted, audiences, now: now() });
      await check(mandate);
      const { reference, root, kid } = mandate;
      const issuer_key = kid.slice(0, 200);
      await events.ap2MandateVerified({
        ...{ ...facts, payload: { ...payload, reference, root, issuer_key } },
      });
      return mandate;
    } catch (error) {
      const code = error instanceof MandateError ? error.code : 'processing_error';
      const constraint = error instanceof MandateError ? error.constraint?.slice(0, 80) : undefined;
      const why = { error: code, ...(constraint !== undefined && { constraint }) };
      await events.ap2MandateFailed({
        ...{ ...facts, payload: { ...payload, ...why }, outcome: 'denied' },
      });
      throw error;
    }
  };
  return {
    async authorized(session, { caller }) {
      const text = canonicalize(session) ?? '';
      const signature = await signer.sign(caller.tenant, text, { nameKey: (kid) => kid });
      if (signature === undefined) return session;
      const authorization = `${signature.protected}..${signature.signature}`;
      return { ...session, ap2: { merchant_authorization: authorization } };
    },
    async require(shown, context) {
      const { session, mandate: text, paymentMandate } = shown;
      const { row, lines, total } = session;
      const website = new URL(baseOf(context)).origin;
      const keys = (await signer.keys(row.tenant)) as readonly unknown[] as readonly JWK[];
      const bought: Omit<Bought, 'closed' | 'references' | 'isCounted'> = {
        ...{ website, amount: total, currency: 'USD', now: now() },
        items: lines.map(({ tool, quantity }) => ({ id: tool, quantity })),
      };
      const checkout = await looked('checkout', text, shown, context, async (mandate) => {
        await requireCheckout(mandate.closed, shown.shown, keys);
        const open = mandate.open.map(({ claims }) => claims);
        const { closed, before: references } = mandate;
        requireSet(open, closed);
        requireConstraints('checkout', open, { ...bought, closed, references, isCounted: false });
        // With a mandate for its payment they are good together, or not at all.
        if (paymentMandate !== undefined) return;
        await kept.keep(row.tenant, row.id, [checkoutUse(mandate, total)]);
      });
      if (paymentMandate === undefined) return;
      await looked('payment', paymentMandate, shown, context, async (mandate) => {
        const { closed } = mandate;
        const hash = String(checkout.closed['checkout_hash']);
        requirePayment(closed, { ...bought, hash, instrument: shown.instrument });
        const open = mandate.open.map(({ claims }) => claims);
        requireSet(open, closed);
        const { before: references } = checkout;
        requireConstraints('payment', open, { ...bought, closed, references, isCounted: true });
        await kept.keep(row.tenant, row.id, usesOf(checkout, mandate, total));
      });
    },
    async receipt({ row }, order, context) {
      const reference = await kept.referenceFor(row.tenant, row.id);
      if (reference === undefined) return undefined;
      const iat = Math.floor(now() / 1000);
      const iss = baseOf(context);
      const text = JSON.stringify({ status: 'Success', iss, iat, reference, order_id: order });
      const signed = await signer.sign(row.tenant, text, { typ: 'JWT', nameKey: (kid) => kid });
      if (signed === undefined) return undefined;
      return `${signed.protected}.${Buffer.from(text).toString('base64url')}.${signed.signature}`;
    },
  };
}

/** The mandate holds what this server has signed itself, and that is what is sold now. */
async function requireCheckout(
  { checkout_jwt: jwt, checkout_hash: hash }: Claims,
  shown: JsonObject,
  keys: readonly JWK[],
): Promise<void> {
  if (typeof jwt !== 'string') {
    throw new MandateError('invalid_mandate', 'the mandate has no checkout_jwt');
  }
  if (hash !== digestOf(jwt)) {
    throw new MandateError('mandate_scope_mismatch', 'checkout_hash is of another checkout_jwt');
  }
  const { header, claims } = readJwt(jwt);
  const key = keys.find(({ kid }) => kid !== undefined && kid === header['kid']);
  const isOurs =
    key !== undefined &&
    (await requireSignature(jwt, key).then(
      () => true,
      () => false,
    ));
  if (!isOurs) {
    const message = 'checkout_jwt was not signed here';
    throw new MandateError('merchant_authorization_invalid', message);
  }
  const terms = ['id', 'line_items', 'totals', 'currency'] as const;
  for (const term of terms) {
    if (isDeepStrictEqual(claims[term], shown[term])) continue;
    const message = `the mandate is for another checkout: ${term} differs`;
    throw new MandateError('mandate_scope_mismatch', message);
  }
}

function requirePayment(
  closed: Claims,
  due: Pick<Bought, 'website' | 'amount' | 'currency' | 'now'> & {
    readonly hash: string;
    /** With what it is paid: `card`, `x402`. */
    readonly instrument: string;
  },
): void {
  const { transaction_id: id, payee, payment_amount: sum, payment_instrument: by } = closed;
  const mismatch = (what: string) =>
    new MandateError('mandate_scope_mismatch', `the payment mandate is for another ${what}`);
  if (id !== due.hash) throw mismatch('checkout');
  if (!isMerchant(payee, due.website)) throw mismatch('payee');
  if (!isObject(sum) || sum['amount'] !== due.amount || sum['currency'] !== due.currency) {
    throw mismatch('amount');
  }
  if (!isObject(by) || by['type'] !== due.instrument) throw mismatch('instrument');
  if (!isDue(closed, due.now)) throw mismatch('day');
}

/** What may stand in an open mandate already. */
const preset = [
  ...['checkout_jwt', 'checkout_hash', 'transaction_id', 'payee', 'pisp', 'payment_amount'],
  ...['payment_instrument', 'execution_date', 'risk_data'],
];

/** What an open mandate says already is as it says (AP2 0.2, verification and processing rules). */
function requireSet(open: readonly Claims[], closed: Claims): void {
  for (const claims of open) {
    for (const name of preset) {
      if (claims[name] === undefined || isDeepStrictEqual(claims[name], closed[name])) continue;
      const message = `the open mandate names another ${name}`;
      throw new MandateError('mandate_scope_mismatch', message);
    }
  }
}

/** By itself, a mandate for a checkout is good for one purchase. */
function checkoutUse({ root, reference }: Mandate, amount: number): PermissionUse {
  return { kind: 'checkout', permission: root, reference, amount };
}

/**
 * For what the mandates of one purchase count: each that allows payments for itself, and the one for
 * the checkout for as many as the payments do that were allowed for it.
 */
function usesOf(checkout: Mandate, payment: Mandate, amount: number): readonly PermissionUse[] {
  const { open, root, reference } = payment;
  const shown = { kind: 'payment', reference, amount } as const;
  const first = checkoutUse(checkout, amount);
  if (open.length === 0) return [first, { ...shown, permission: root }];
  const uses = open.map((mandate) => {
    const recurrence = recurrenceOf(mandate);
    const isOnce = recurrence.agents.length === 0;
    // What is good for one purchase may have a budget all the same.
    if (isOnce) requireRecurrence(recurrence, [], amount, 0);
    return { ...shown, permission: mandate.id, ...(!isOnce && { recurrence }) };
  });
  const isOften = uses.every(({ recurrence }) => recurrence !== undefined);
  const isBound = open.some(({ claims }) => namesCheckout(claims));
  const often = isOften && isBound ? { recurrence: { agents: [], budgets: [] } } : {};
  return [{ ...first, ...often }, ...uses];
}

/** Whether it is for one permission to buy, and whatever is bought by it. */
function namesCheckout({ constraints }: Claims): boolean {
  const all = Array.isArray(constraints) ? constraints : [];
  return all.some((each) => isObject(each) && each['type'] === 'payment.reference');
}
