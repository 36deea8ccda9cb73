import { Stripe } from 'stripe';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { ChainState } from '../evm/chain-watch.ts';
import type { Settlement } from '../evm/settler.ts';
import { mostCharges, mostRefunds, settlingMs } from '../numbers.ts';
import { cardFault } from './card-faults.ts';
import type { CardSettings } from './card-settings.ts';
import { processorClient, type Unanswered } from './processor-client.ts';

/** Shared payment tokens are taken by this version of the API, and by none that is not a preview. */
const tokenVersion = '2026-07-29.preview';

/** How a charge is now. */
export interface Charged {
  /** Whose it is, as was written on it; nothing where it is not from here. */
  readonly tenant: string | undefined;
  readonly claimId: string | undefined;
  readonly isTaken: boolean;
  /** A bank has taken the money, and it was not won again. */
  readonly isDisputed: boolean;
  /** The dispute with which it did; empty where none did. */
  readonly dispute: string;
  /** What was given back, in minor units, and the last refund with which it was. */
  readonly back: number;
  readonly refund: string;
}

/** In these a bank has the money; an inquiry moves none. */
const disputes: ReadonlySet<string> = new Set(['needs_response', 'under_review', 'lost']);

/** What changes something here once a payment has ended. */
const toldTypes = [
  ...['payment_intent.succeeded', 'charge.refunded', 'refund.updated', 'refund.failed'],
  ...['charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed'],
  ...['charge.dispute.funds_withdrawn', 'charge.dispute.funds_reinstated'],
] as const;

type Charge = Pick<PaymentRow, 'tenant' | 'id' | 'challenge' | 'amount' | 'asset'>;
type SentCharge = Pick<PaymentRow, 'id' | 'transaction_hash' | 'created_at'>;
type ChargedRow = Pick<PaymentRow, 'tenant' | 'id' | 'amount' | 'transaction_hash'>;

/** Takes money by card, and gives it back, at the processor. */
export class CardProcessor {
  readonly #client: Stripe;
  readonly #unanswered: Unanswered;

  constructor(card: Pick<CardSettings, 'secretKey' | 'apiUrl'>) {
    const { client, unanswered } = processorClient(card);
    this.#client = client;
    this.#unanswered = unanswered;
  }

  /** Charge a token for a payment that was claimed; the same again changes nothing. */
  async charge(
    { tenant, id, challenge, amount, asset }: Charge,
    token: string,
  ): Promise<Settlement | { readonly kind: 'unavailable' }> {
    // The challenge alone: a client that comes again with a new token does not pay twice.
    const idempotencyKey = `mpp_${challenge}`;
    const order = {
      ...{ amount: Number(amount), currency: asset, confirm: true },
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const },
      metadata: { machine_payment: 'true', claim_id: id, tenant, challenge_id: challenge },
      shared_payment_granted_token: token,
    };
    try {
      const options = { idempotencyKey, apiVersion: tokenVersion };
      const intent = await this.#client.paymentIntents.create(order, options);
      if (!isId(intent.id)) return { kind: 'pending', transaction: '' };
      return await this.#outcome(intent);
    } catch (error) {
      return this.#failure(error, this.#unanswered.has(idempotencyKey));
    } finally {
      this.#unanswered.delete(idempotencyKey);
    }
  }

  /**
   * What became of a payment; one that waits for something that nobody will do is ended.
   *
   * @throws where the processor does not say
   */
  async look(sent: SentCharge): Promise<ChainState> {
    const intent = await this.#find(sent);
    if (intent === undefined) return { kind: 'not taken' };
    const { id, status } = intent;
    if (!isId(id)) throw new Error('the processor names a charge by what is no id');
    if (status === 'succeeded') return { kind: 'taken', transaction: id };
    if (status === 'processing') return { kind: 'unconfirmed', transaction: id };
    if (status !== 'canceled') await this.#client.paymentIntents.cancel(id);
    return { kind: 'void' };
  }

  /** What it has told of charges since a time, the newest first. */
  told(sinceMs: number): AsyncIterable<Stripe.Event> {
    const created = { gte: Math.floor(sinceMs / 1000) };
    return this.#client.events.list({ created, types: [...toldTypes], limit: 100 });
  }

  /**
   * How a charge is now, with its refunds and disputes.
   *
   * @throws where the processor does not say
   */
  async charged(intent: string): Promise<Charged> {
    const about = { payment_intent: intent, limit: 100 };
    const [{ status, metadata }, refunds, disputed] = await Promise.all([
      this.#client.paymentIntents.retrieve(intent),
      this.#client.refunds.list(about),
      this.#client.disputes.list(about),
    ]);
    const good = refunds.data.filter(isGood);
    const lost = disputed.data.find((each) => disputes.has(each.status));
    return {
      ...{ tenant: metadata['tenant'], claimId: metadata['claim_id'] },
      isTaken: status === 'succeeded',
      isDisputed: lost !== undefined,
      dispute: lost?.id ?? '',
      back: sumOf(good),
      refund: good[0]?.id ?? '',
    };
  }

  /**
   * Give back all that was paid, once: what was given back already, here or at the processor, counts.
   *
   * @throws where the processor does not do it
   */
  async refund({ tenant, id, amount, transaction_hash }: ChargedRow): Promise<string> {
    const { data } = await this.#client.refunds.list({
      payment_intent: transaction_hash,
      limit: 100,
    });
    const good = data.filter(isGood);
    const rest = Number(amount) - sumOf(good);
    if (data.length - good.length >= mostRefunds) throw new Error('refunds to this card fail');
    if (rest <= 0) return good[0]?.id ?? '';
    const { id: refund } = await this.#client.refunds.create(
      {
        ...{ payment_intent: transaction_hash, amount: rest },
        metadata: { claim_id: id, tenant },
      },
      // One that has failed is not what the next one is answered with.
      { idempotencyKey: `refund_${id}_${data.length}` },
    );
    return refund;
  }

  async #outcome({ id, status }: Stripe.PaymentIntent): Promise<Settlement> {
    if (status === 'succeeded') return { kind: 'settled', transaction: id };
    if (status === 'processing') return { kind: 'pending', transaction: id };
    // Nobody comes back to it: whoever pays gets a new challenge.
    if (status !== 'canceled') {
      const ended = await this.#client.paymentIntents.cancel(id).catch(() => undefined);
      if (ended === undefined) return { kind: 'pending', transaction: id };
    }
    const fault = status === 'requires_action' ? 'card_action_required' : 'card_not_completed';
    return { kind: 'refused', fault };
  }

  #failure(error: unknown, mayBeDone: boolean): Settlement | { readonly kind: 'unavailable' } {
    const { errors } = Stripe;
    if (error instanceof errors.StripeCardError) {
      return { kind: 'refused', fault: cardFault(error.code, error.decline_code) };
    }
    if (error instanceof errors.StripeInvalidRequestError) {
      return { kind: 'refused', fault: 'card_token_refused' };
    }
    const isDone = mayBeDone || error instanceof errors.StripeIdempotencyError;
    return isDone ? { kind: 'pending', transaction: '' } : { kind: 'unavailable' };
  }

  /** By its id, or by what was written on it where the id never came. */
  async #find({ id, transaction_hash: known, created_at }: SentCharge) {
    if (known !== '') return this.#client.paymentIntents.retrieve(known);
    const begin = Math.floor((created_at - settlingMs) / 1000);
    const created = { gte: begin, lte: Math.ceil((created_at + 2 * settlingMs) / 1000) };
    const all = this.#client.paymentIntents.list({ created, limit: 100 });
    let seen = 0;
    for await (const intent of all) {
      if (intent.metadata['claim_id'] === id) return intent;
      seen += 1;
      if (seen === mostCharges) throw new Error('there are too many charges to look through');
    }
    return undefined;
  }
}

/** By what stands in rows and in the audit log. */
function isId(id: unknown): boolean {
  return typeof id === 'string' && /^\w{1,64}$/.test(id);
}

function isGood({ status }: Stripe.Refund): boolean {
  return status !== 'failed' && status !== 'canceled';
}

function sumOf(refunds: readonly Stripe.Refund[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}
