import type { CallContext } from '#contract/caller';
import { PaymentUsed } from '#contract/payment/payment';
import { replay, textOfResult } from '#contract/text/kept-answer';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { budgetExceeded } from '../budgets/refusal.ts';
import { BudgetExceeded, type Spending } from '../budgets/spending.ts';
import type { ChainSettings } from '../offers/settings.ts';
import type { Cashier } from '../offers/terms.ts';
import { eventFacts } from '../records/event-facts.ts';
import type { Payment } from '../records/payment.ts';
import {
  heldFor,
  type PaymentChange,
  type PaymentRecords,
  type PaymentState,
  unavailable,
} from '../records/payment-records.ts';
import { rowOf } from '../records/payment-row.ts';
import { receiptOf } from '../records/receipt.ts';
import { shownName } from '../records/shown-name.ts';
import { chargeFor } from './charge.ts';
import { Copies } from './copies.ts';
import { isFailure } from './is-failure.ts';
import type { MovedMoney, Mover } from './mover.ts';
import { refused } from './read-payment.ts';
import {
  givenBack,
  interrupted,
  misnamed,
  processorAway,
  stillPending,
  usedBefore,
} from './used-payment.ts';

export interface TillParts {
  readonly chain: ChainSettings;
  readonly cashier: Cashier;
  readonly records: PaymentRecords;
  readonly events: CommerceEvents;
  readonly mover: Mover;
  /** Has what is due given back. */
  readonly refund: (row: PaymentRow) => Promise<void>;
  /** How long a copy of a payment waits for the first one. */
  readonly copyWaitMs?: number;
}

/**
 * Takes payments. What is written down before each step is what is needed to go on, or to give the
 * money back, when this process dies at that very moment.
 */
export class Till {
  readonly #parts: TillParts;
  readonly #copies: Copies;

  constructor(parts: TillParts) {
    this.#parts = parts;
    this.#copies = new Copies(parts.records, parts.copyWaitMs);
  }

  /**
   * Do some work for a payment, once.
   *
   * @throws PaymentRequired where the payment is refused: nothing was done and nothing was paid
   * @throws ServiceError 409 where it was used before, or where nobody knows yet what became of it
   */
  async sell<Result>(
    payment: Payment,
    context: CallContext,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const claimed = await this.#claim(payment, context);
    if (claimed.kind === 'used') return this.#again(claimed.row, payment, context);
    const { row } = claimed;
    context.underWay = interrupted();
    try {
      return row.flow === 'authorize'
        ? await this.#workFirst(row, payment, context, work)
        : await this.#settleFirst(row, payment, context, work);
    } finally {
      context.underWay = undefined;
    }
  }

  /**
   * Go on with a payment on a chain whose process died while it moved the money, for work that only
   * one can do: the chain takes the same payment once.
   *
   * @throws as `sell` does, and 409 where another payment is shown
   */
  async goOn<Result>(
    left: PaymentRow,
    payment: Payment,
    context: CallContext,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { records, chain, cashier } = this.#parts;
    const shown = rowOf(payment, context, chain, cashier.now());
    const isSame = shown.claim === left.claim && shown.digest === left.digest;
    const row = isSame ? await records.takeOver(left) : undefined;
    if (row === undefined) throw usedBefore(left);
    const moved = await this.#parts.mover.settle(payment, row);
    // What that process had sent may still arrive, whatever becomes of this.
    const unknown = { kind: 'pending', transaction: '' } as const;
    const isKnown = moved.kind === 'settled' || moved.kind === 'pending';
    await this.#moved(row, payment, context, isKnown ? moved : unknown, 'executing');
    return this.#workPaid(row, payment, context, work);
  }

  /** Whether it was claimed for anything before, and not refused: then no other is asked for. */
  isUsed(payment: Payment, context: CallContext): Promise<boolean> {
    const { records, chain, cashier } = this.#parts;
    return records.isUsed(rowOf(payment, context, chain, cashier.now()));
  }

  /** Whether it was claimed for this very call before: then it is asked for what came of it. */
  isClaimed(payment: Payment, context: CallContext): Promise<boolean> {
    const { records, chain, cashier } = this.#parts;
    return records.isClaimed(rowOf(payment, context, chain, cashier.now()));
  }

  /** Whoever shows the same payment for the same thing once more has lost the answer. */
  async #again<Result>(row: PaymentRow, payment: Payment, context: CallContext): Promise<Result> {
    const outcome = await this.#copies.outcome(row);
    if (outcome.answer === undefined) throw await this.#duplicate(outcome.row, context);
    const { transaction_hash: transaction, changed_at: at } = outcome.row;
    const result = replay<Result>(outcome.answer);
    const { notary } = this.#parts.cashier;
    context.receipt = await receiptOf(payment, outcome.row, transaction, at, notary);
    return result;
  }

  async #settleFirst<Result>(
    row: PaymentRow,
    payment: Payment,
    context: CallContext,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.#go(row, 'claimed', 'settling');
    await this.#settle(row, payment, context, 'executing');
    return this.#workPaid(row, payment, context, work);
  }

  async #workPaid<Result>(
    row: PaymentRow,
    payment: Payment,
    context: CallContext,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { records } = this.#parts;
    if (context.signal.aborted) {
      await this.#giveBack(row, payment, context);
      throw givenBack();
    }
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      await this.#giveBack(row, payment, context);
      throw error;
    }
    // Nobody can ask for the answer again of what has no name.
    const isLost = wasStopped(context) && shownName(payment, context) === undefined;
    if (isFailure(result) || isLost) {
      await this.#giveBack(row, payment, context);
      return result;
    }
    // It is on its way back where it took so long that somebody else has given it up.
    const isOurs = await records.move(row, ['executing'], 'delivered', {}, textOfResult(result));
    if (!isOurs) {
      delete context.receipt;
      throw givenBack();
    }
    return result;
  }

  /** The money is moved only for what was done; what could not be paid after all is not handed out. */
  async #workFirst<Result>(
    row: PaymentRow,
    payment: Payment,
    context: CallContext,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const end = await this.#parts.mover.reserve(payment, row);
    if (end === undefined) throw await this.#refuse(row, payment, context, 'insufficient_funds');
    try {
      return await this.#workReserved(row, payment, context, work);
    } finally {
      end();
    }
  }

  async #workReserved<Result>(
    row: PaymentRow,
    payment: Payment,
    context: CallContext,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { records, mover } = this.#parts;
    const fault = await mover.verify(payment, row);
    if (fault !== undefined) throw await this.#refuse(row, payment, context, fault);
    await this.#go(row, 'claimed', 'executing');
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      await records.move(row, ['executing'], 'rejected', { fault: 'the work failed' });
      throw error;
    }
    if (isFailure(result)) {
      await records.move(row, ['executing'], 'rejected', { fault: 'the work failed' });
      return result;
    }
    const charged = await this.#charge(row, payment, context, result);
    if (charged !== undefined) await this.#settle(charged, payment, context, 'delivered');
    return result;
  }

  /** Write down what is charged for it before any of it is moved; nothing comes back where that is nothing. */
  async #charge(
    row: PaymentRow,
    payment: Payment,
    context: CallContext,
    result: unknown,
  ): Promise<PaymentRow | undefined> {
    const { events, cashier } = this.#parts;
    const charge = chargeFor(payment.sale.offer.price, result, row.amount);
    const change =
      charge === undefined ? {} : { charged: charge.atomic, held: heldFor(row, charge.decimal) };
    const charged = { ...row, ...change };
    const answer = textOfResult(result);
    if (charge?.atomic !== '0') {
      await this.#go(row, 'executing', 'settling', answer, change);
      return charged;
    }
    await this.#go(row, 'executing', 'delivered', answer, change);
    const { seq } = await events.paymentSettled(eventFacts(charged, context));
    await this.#parts.records.noteEntry(row, seq);
    const { now, notary } = cashier;
    context.receipt = await receiptOf(payment, charged, '', now(), notary);
    return undefined;
  }

  async #claim(payment: Payment, context: CallContext) {
    const { records, events, cashier, chain } = this.#parts;
    const row = rowOf(payment, context, chain, cashier.now());
    const claimed = await records
      .claim(row, shownName(payment, context))
      .catch(async (error: unknown) => {
        if (!(error instanceof BudgetExceeded)) throw error;
        throw await this.#overBudget(row, context, error.spending);
      });
    switch (claimed.kind) {
      case 'claimed':
        // On disk before anything is done that cannot be undone.
        await events.paymentClaimed(eventFacts(claimed.row, context));
        return claimed;
      case 'misnamed':
        throw misnamed();
      case 'used': {
        if (isBurnt(claimed.row)) throw refused(payment.sale, cashier, 'card_challenge_used');
        // What was done for one caller is told to no other, whatever that one knows of the payment.
        const { digest, subject } = claimed.row;
        const isSame = claimed.isSame && digest === row.digest && subject === row.subject;
        if (!isSame) throw await this.#duplicate(claimed.row, context);
        return claimed;
      }
    }
  }

  async #duplicate(row: PaymentRow, context: CallContext) {
    await this.#parts.events.paymentDuplicateRefused({
      ...eventFacts(row, context, { error: row.state }),
      outcome: 'denied',
    });
    return usedBefore(row);
  }

  async #overBudget(row: PaymentRow, context: CallContext, spending: Spending) {
    const { rule: budget, limit, used } = spending;
    const facts = eventFacts(row, context, { error: 'budget_exceeded' });
    await this.#parts.events.entitlementLimitReached({
      ...facts,
      payload: { ...facts.payload, budget, limit, used },
      outcome: 'denied',
    });
    return budgetExceeded(spending, this.#parts.cashier.now());
  }

  async #settle(
    row: PaymentRow,
    payment: Payment,
    context: CallContext,
    next: 'executing' | 'delivered',
  ): Promise<void> {
    const settlement = await this.#parts.mover.settle(payment, row);
    await this.#moved(row, payment, context, settlement, next);
  }

  async #moved(
    row: PaymentRow,
    payment: Payment,
    context: CallContext,
    settlement: MovedMoney,
    next: 'executing' | 'delivered',
  ): Promise<void> {
    const { records, events } = this.#parts;
    switch (settlement.kind) {
      case 'refused':
        throw await this.#refuse(row, payment, context, settlement.fault);
      case 'unavailable':
        await records.move(row, ['settling'], 'rejected', { fault: unavailable });
        throw processorAway();
      case 'pending': {
        const { transaction } = settlement;
        await records.move(row, ['settling'], 'pending', { transaction_hash: transaction });
        await events.paymentPending(eventFacts(row, context, { transaction }));
        throw stillPending();
      }
      case 'settled':
        await this.#settled(row, payment, context, settlement, next);
    }
  }

  async #settled(
    row: PaymentRow,
    payment: Payment,
    context: CallContext,
    { transaction }: MovedMoney & { kind: 'settled' },
    next: 'executing' | 'delivered',
  ): Promise<void> {
    const { records, events, cashier } = this.#parts;
    // Written twice where the process dies in between; money that came and is in no log is worse.
    const { seq } = await events.paymentSettled(eventFacts(row, context, { transaction }));
    const moved = await records.move(row, ['settling'], next, { transaction_hash: transaction });
    // It took so long that the money is on its way back already.
    if (!moved) throw givenBack();
    await records.noteEntry(row, seq);
    const at = cashier.now();
    context.receipt = await receiptOf(payment, row, transaction, at, cashier.notary);
  }

  /** Nothing is done for a payment that is not where it was left. */
  async #go(
    row: PaymentRow,
    from: PaymentState,
    to: PaymentState,
    answer?: string,
    change: PaymentChange = {},
  ) {
    const isMoved = await this.#parts.records.move(row, [from], to, change, answer);
    if (!isMoved) throw usedBefore(row);
  }

  async #refuse(row: PaymentRow, payment: Payment, context: CallContext, fault: string) {
    const { records, events, cashier } = this.#parts;
    await records.move(row, ['claimed', 'settling'], 'rejected', { fault });
    await events.paymentFailed({
      ...eventFacts(row, context, { error: fault }),
      outcome: 'failed',
    });
    return refused(payment.sale, cashier, fault);
  }

  async #giveBack(row: PaymentRow, payment: Payment, context: CallContext): Promise<void> {
    const { records, events, refund } = this.#parts;
    if (payment.sale.offer.price.refundOnError === false) {
      await records.move(row, ['executing'], 'delivered', { fault: 'the work failed' });
      return;
    }
    await records.move(row, ['executing'], 'refund_due', { fault: 'the work failed' });
    await events.paymentRefundDue(eventFacts(row, context));
    delete context.receipt;
    await refund(row);
  }
}

/** The server itself has stopped the call; a client that leaves stops nothing that it has paid for. */
function wasStopped({ signal }: CallContext): boolean {
  return signal.aborted && signal.reason instanceof PaymentUsed;
}

/** The processor has answered for this challenge once and for all: another card needs a new one. */
function isBurnt({ rail, state }: PaymentRow): boolean {
  return rail === 'card' && (state === 'rejected' || state === 'failed');
}
