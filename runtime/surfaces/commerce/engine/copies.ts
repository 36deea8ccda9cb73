import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { copyWaitMs, lookMs } from '../numbers.ts';
import type { PaymentRecords, PaymentState } from '../records/payment-records.ts';

/** A payment where it stands, and what was answered for it as it is kept. */
export interface Outcome {
  readonly row: PaymentRow;
  readonly answer: string | undefined;
}

const running: ReadonlySet<PaymentState> = new Set(['claimed', 'settling', 'executing']);

/**
 * Copies of a payment that come while the first of them is at work, here or at another replica: all
 * of them together ask the store how it goes.
 */
export class Copies {
  readonly #records: Pick<PaymentRecords, 'find' | 'answer'>;
  readonly #waitMs: number;
  readonly #waits = new Map<string, Promise<Outcome>>();

  constructor(records: Pick<PaymentRecords, 'find' | 'answer'>, waitMs = copyWaitMs) {
    this.#waitMs = waitMs;
    this.#records = records;
  }

  /** What came of it, or how it stands after the longest time that a copy waits. */
  outcome(row: PaymentRow): Promise<Outcome> {
    const known = this.#waits.get(row.id);
    if (known !== undefined) return known;
    const wait = this.#wait(row).finally(() => this.#waits.delete(row.id));
    this.#waits.set(row.id, wait);
    return wait;
  }

  async #wait(first: PaymentRow): Promise<Outcome> {
    const { tenant, id } = first;
    const end = performance.now() + this.#waitMs;
    let row: PaymentRow = first;
    while (running.has(row.state) && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      row = (await this.#records.find(tenant, id)) ?? row;
    }
    const kept = row.state === 'delivered' ? await this.#records.answer(tenant, id) : undefined;
    return { row, answer: kept?.answer };
  }
}
