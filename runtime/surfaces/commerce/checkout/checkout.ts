import { randomBytes } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { authorOf } from '#contract/house/audit-events';
import type { Operation } from '#contract/operation';
import type {
  CheckoutSessionRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { mostUnpaidSessions, sessionLifeMs } from '../numbers.ts';
import type { Offer } from '../offers/offer.ts';
import type { CheckoutParts } from './checkout-parts.ts';
import { linesOf, totalOf, type Wanted } from './lines.ts';
import { type Instrument, paySession } from './pay-session.ts';
import { digestOf, type SeenSession, seen } from './seen-session.ts';
import { offerFor } from './session-offer.ts';

export type Protocol = CheckoutSessionRow['protocol'];

/** Who has begun a session, and what its payment has to bring along. */
export interface Begun {
  readonly platform?: string;
  readonly demands?: string;
}

/** Checkout sessions of one protocol: what is bought is uses of tools, by their names. */
export interface Checkout {
  /** @throws ServiceError 400 where something cannot be had */
  create(wanted: readonly Wanted[], context: CallContext, begun?: Begun): Promise<SeenSession>;
  /** @throws ServiceError 404 where the caller has none of this id */
  find(id: string, context: CallContext): Promise<SeenSession>;
  /** @throws ServiceError 409 where it is paid, or being paid */
  update(id: string, wanted: readonly Wanted[], context: CallContext): Promise<SeenSession>;
  /** Pay for it; a payment that is refused leaves it open, with the reason in `fault`. */
  complete(seen: SeenSession, instrument: Instrument, context: CallContext): Promise<SeenSession>;
  /** @throws ServiceError 405 where it is paid, being paid, or given up already */
  cancel(id: string, context: CallContext): Promise<SeenSession>;
  /** How it can be paid; nothing where it cannot. */
  offer(session: SeenSession): Offer | undefined;
}

/** Make the sessions of one protocol. */
export function createCheckout(
  protocol: Protocol,
  operation: Operation,
  parts: CheckoutParts,
): Checkout {
  const { sessions, accepted, events, treasury, isLeft, house } = parts;
  const { now } = house;
  const happened = {
    acp: [events.acpCheckoutCreated, events.acpCheckoutCompleted, events.acpCheckoutCanceled],
    ucp: [events.ucpCheckoutCreated, events.ucpCheckoutCompleted, events.ucpCheckoutCanceled],
  } as const;
  const [created, completed, canceled] = happened[protocol];
  const look = async (row: CheckoutSessionRow): Promise<SeenSession> => {
    const payment =
      row.payment === ''
        ? await sessions.paymentFor(row, digestOf(row))
        : await sessions.payment(row.tenant, row.payment);
    const session = seen(row, payment, now(), isLeft);
    if (payment === undefined || !session.isLeft || session.status !== 'paying') return session;
    // Whoever was paying it has died: what is known of the money decides.
    const isAsked = await treasury()
      .then(async ({ revisit }) => revisit(payment))
      .then(
        () => true,
        () => false,
      );
    if (!isAsked) return session;
    const after = (await sessions.get(row)) ?? row;
    return seen(after, await sessions.payment(row.tenant, payment.id), now(), isLeft);
  };
  const find = async (id: string, { caller }: CallContext): Promise<SeenSession> => {
    const row = await sessions.find(caller.tenant, caller.subject, id);
    if (row?.protocol === protocol) return look(row);
    throw new ServiceError('not_found', 404, `there is no checkout session ${id}`);
  };
  const offer = (session: SeenSession) => offerFor(session, operation, accepted);
  return {
    find,
    offer,
    async create(wanted, context, { platform = '', demands = '' } = {}) {
      const { caller } = context;
      requireName(context);
      const lines = await linesOf(wanted, caller, house);
      const at = now();
      const row: CheckoutSessionRow = {
        ...{ tenant: caller.tenant, id: `cs_${randomBytes(16).toString('hex')}`, protocol },
        ...{ subject: caller.subject, platform, demands, state: 'open' },
        ...{ lines: JSON.stringify(lines), attempt: 0, fault: '', payment: '' },
        ...{ created_at: at, changed_at: at, expires_at: at + sessionLifeMs },
      };
      const fullUntil = await sessions.add(row, mostUnpaidSessions);
      if (fullUntil !== undefined) throw tooMany(fullUntil - at);
      await created(facts(row, context));
      return look(row);
    },
    async update(id, wanted, context) {
      const { row, status } = await find(id, context);
      if (status !== 'open') throw closed(status, 409);
      const lines = await linesOf(wanted, context.caller, house);
      const change = { lines: JSON.stringify(lines), attempt: row.attempt + 1, fault: '' };
      const changed = await sessions.change(row, { ...change, state: 'open' });
      if (changed === undefined) throw busy();
      return look(changed);
    },
    async complete(session, instrument, context) {
      const { row, status } = session;
      // The same call has completed it, and died before it could say so.
      if (status === 'completed' && context.resumes) return session;
      const left = leftPayment(session);
      if (status !== 'open' && left === undefined) throw closed(status, 409);
      const wanted = offer(session);
      if (!wanted?.rails.includes(instrument.rail)) {
        const message = `this session cannot be paid by ${instrument.rail}`;
        throw new ServiceError('not_ready_for_payment', 400, message);
      }
      const paid = await paySession(
        parts,
        { ...session, offer: wanted, left },
        instrument,
        context,
      );
      const after = await look((await sessions.get(row)) ?? row);
      if (paid || after.status === 'completed') {
        await completed(facts(after.row, context, { claim_id: after.row.payment }));
        return after;
      }
      await completed({
        ...facts(after.row, context, { error: after.fault || 'payment_pending' }),
        outcome: 'failed',
      });
      return after;
    },
    async cancel(id, context) {
      const { row, status } = await find(id, context);
      if (status !== 'open' && status !== 'expired') throw closed(status, 405);
      const changed = await sessions.change(row, { state: 'canceled' });
      if (changed === undefined) throw busy();
      await canceled(facts(changed, context));
      return look(changed);
    },
  };
}

/** What a dead process was moving on a chain, which takes it once, whoever sends it. */
function leftPayment({ status, isLeft, payment }: SeenSession): PaymentRow | undefined {
  const isMoving = payment?.state === 'settling' && payment.rail !== 'card';
  return status === 'paying' && isLeft && isMoving ? payment : undefined;
}

/** What is bought is for somebody: strangers share one name. */
function requireName({ caller }: CallContext): void {
  if (caller.isAnonymous !== true) return;
  throw new ServiceError('unauthorized', 401, 'whoever buys something needs a name here');
}

/** A session that nobody pays costs nothing, and is kept for a day after it has expired. */
function tooMany(waitMs: number): ServiceError {
  const message = `you have begun ${mostUnpaidSessions} checkout sessions that are neither paid nor cancelled: pay or cancel some, or wait until the first is forgotten`;
  return new ServiceError('too_many_sessions', 429, message, {
    // What is to be forgotten may wait for its turn.
    retryAfterMs: Math.max(waitMs, 60_000),
  });
}

function facts(
  { id, lines, platform }: CheckoutSessionRow,
  { caller, callId }: CallContext,
  more: { readonly claim_id?: string; readonly error?: string } = {},
) {
  const bought = JSON.parse(lines) as Parameters<typeof totalOf>[0];
  return {
    ...authorOf(caller),
    correlation_id: callId,
    payload: {
      ...{ session_id: id, amount: String(totalOf(bought)), items: bought.length },
      ...(platform && { platform: platform.slice(0, 300) }),
      ...more,
    },
  };
}

function closed(status: SeenSession['status'], code: 405 | 409): ServiceError {
  const told = { paying: 'is being paid', expired: 'has expired', open: 'is open' };
  const how = status in told ? told[status as keyof typeof told] : `is ${status}`;
  return new ServiceError(`checkout_${status}`, code, `this checkout session ${how}`);
}

function busy(): ServiceError {
  const message = 'somebody else changes this checkout session just now';
  return new ServiceError('conflict', 409, message, { retryAfterMs: 1000 });
}
