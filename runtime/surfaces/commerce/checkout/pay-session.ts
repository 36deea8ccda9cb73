import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { PaymentRequired, PaymentUsed } from '#contract/payment/payment';
import { toolTarget } from '#contract/payment/target';
import type {
  CheckoutSessionRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { budgetsFor } from '../budgets/rules.ts';
import { needsApproval } from '../engine/counter.ts';
import type { Offer } from '../offers/offer.ts';
import { type Sale, saleOf } from '../offers/sale.ts';
import type { ShownProof } from '../records/shown-proof.ts';
import type { CheckoutParts } from './checkout-parts.ts';
import { dollars, type Line } from './lines.ts';
import { digestOf, type SeenSession } from './seen-session.ts';

/** With what a session is paid. */
export type Instrument =
  | { readonly rail: 'card'; readonly token: string }
  | { readonly rail: 'x402'; readonly value: string };

/** A session with how it can be paid. */
interface PayableSession extends SeenSession {
  readonly offer: Offer;
  /** What a dead process was moving for it: then that goes on. */
  readonly left: PaymentRow | undefined;
}

/**
 * Pay for a session, through the same till as every call: claimed before any money moves, given back
 * where it could not be written down what was bought.
 *
 * @returns whether it is paid; where it is not, the session says why
 * @throws ServiceError where a budget, or nothing that takes money, is in the way
 */
export async function paySession(
  parts: CheckoutParts,
  session: PayableSession,
  instrument: Instrument,
  context: CallContext,
): Promise<boolean> {
  const { sessions, treasury, orderEvents, house } = parts;
  const { offer, lines, left } = session;
  const { take } = await treasury();
  const row = left ? session.row : await begin(parts, session);
  const sale = saleFor(row, session, context, parts);
  const bought = async () => {
    const payment = await sessions.paymentFor(row, sale.digest);
    const tell = async (tx: Parameters<typeof orderEvents.created>[1]) =>
      orderEvents.created(row, tx);
    const isOurs = payment && (await sessions.complete(row, payment.id, lines, tell));
    if (isOurs === true) return { order: row.id };
    // Whoever took this process for dead has written the same down.
    if (payment && (await sessions.ofPayment(payment))?.id === row.id) return { order: row.id };
    throw new ServiceError('conflict', 409, 'this checkout session was changed meanwhile');
  };
  let isAsked = false;
  const approve = async () => {
    if (!needsApproval(offer, house)) return;
    isAsked = true;
    await house.confirm.require(offer.operation, askedOf(session, instrument), context);
    isAsked = false;
  };
  try {
    const work = { approve, run: bought, ...(left && { left }) };
    await take(shownFor(instrument, row, sale, house.now()), sale, context, work);
    orderEvents.wake();
    return true;
  } catch (error) {
    // That a person was not asked yet is no fault of the payment.
    const isKept = await reopen(parts, row, sale, isAsked ? '' : faultOf(error));
    if (isKept || error instanceof PaymentRequired || error instanceof PaymentUsed) return false;
    throw error;
  }
}

/** What a person agrees to, in words of people: it is good for these things alone. */
function askedOf({ row, lines, total }: SeenSession, { rail }: Instrument) {
  const items = lines.map(
    ({ tool, title, unit, quantity }) => `${quantity} × ${tool} (${title}), ${dollars(unit)} each`,
  );
  return { session: row.id, items, total: dollars(total), paid_by: rail };
}

/** Only one attempt at a time; what the last one has left behind ends with the number of the next. */
async function begin({ sessions }: CheckoutParts, { row }: SeenSession) {
  const attempt = row.state === 'completing' ? row.attempt + 1 : row.attempt;
  const begun = await sessions.change(row, { state: 'completing', attempt, fault: '' });
  if (begun !== undefined) return begun;
  const message = 'this checkout session is being paid';
  throw new ServiceError('checkout_paying', 409, message, { retryAfterMs: 1000 });
}

function saleFor(
  row: CheckoutSessionRow,
  { offer, lines }: { readonly offer: Offer; readonly lines: readonly Line[] },
  context: CallContext,
  { house }: Pick<CheckoutParts, 'house'>,
): Sale {
  const { caller } = context;
  const sale = saleOf(offer, {}, context, house);
  // Budgets of a tool count what is bought of it, those of all things the whole.
  const now = house.now();
  const ofTools = lines.flatMap(({ tool, unit, quantity }) => {
    const price = String((unit * quantity) / 100);
    const spent = { target: toolTarget({ name: tool }), caller, price, now };
    const { budgets } = house.prices.spending;
    return budgetsFor({ budgets: budgets.filter(({ on }) => on !== undefined) }, spent);
  });
  return {
    ...sale,
    url: sale.url.replace('{id}', row.id),
    digest: digestOf(row),
    budgets: [...sale.budgets, ...ofTools],
    plans: [],
  };
}

function shownFor(
  instrument: Instrument,
  row: CheckoutSessionRow,
  { offer }: Sale,
  now: number,
): ShownProof {
  if (instrument.rail === 'x402') return { rail: 'x402', value: instrument.value };
  const challengeId = `${row.id}_${row.attempt}`;
  return { ...instrument, challengeId, expiresAt: now + offer.timeoutMs };
}

/** Let it be paid in another way, unless money is, or may be, on its way. */
async function reopen(
  { sessions }: CheckoutParts,
  row: CheckoutSessionRow,
  { digest }: Sale,
  fault: string,
): Promise<boolean> {
  const payment = await sessions.paymentFor(row, digest);
  const isOver = payment === undefined || ['rejected', 'failed'].includes(payment.state);
  if (!isOver) return true;
  const told = payment?.fault || fault;
  await sessions.change(
    { ...row, state: 'completing' },
    { state: 'open', attempt: row.attempt + 1, fault: told },
  );
  return false;
}

function faultOf(error: unknown): string {
  if (error instanceof PaymentRequired) return error.terms.x402?.error ?? 'payment_declined';
  return error instanceof ServiceError ? error.code : 'processing_error';
}
