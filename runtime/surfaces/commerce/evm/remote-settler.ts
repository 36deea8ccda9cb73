import { type Outbound, OutboundError } from '#contract/house/outbound';
import { isObject } from '#contract/json';
import {
  facilitatorTimeoutMs,
  mostFacilitatorBytes,
  pollingMs,
  receiptTimeoutMs,
} from '../numbers.ts';
import { sentOf } from '../sending/sent-payment.ts';
import type { ChainWatch } from './chain-watch.ts';
import { writtenPermit } from './permit.ts';
import type { ChainPayment, Settlement, Settler } from './settler.ts';

/** Has payments verified and settled by a facilitator of others (x402 v2, facilitator interface). */
export class RemoteSettler implements Settler {
  readonly #url: string;
  readonly #outbound: Outbound;
  readonly #watch: Pick<ChainWatch, 'look'> | undefined;

  /** @param watch with which its word is checked; without it, it is believed */
  constructor(url: string, outbound: Outbound, watch?: Pick<ChainWatch, 'look'>) {
    this.#url = url.replace(/\/$/, '');
    this.#outbound = outbound;
    this.#watch = watch;
  }

  async verify(payment: ChainPayment): Promise<string | undefined> {
    const answer = await this.#ask('/verify', payment).catch(() => undefined);
    if (answer?.['isValid'] === true) return undefined;
    return codeOf(answer?.['invalidReason']) ?? 'unexpected_verify_error';
  }

  async settle(payment: ChainPayment): Promise<Settlement> {
    let answer: Readonly<Record<string, unknown>>;
    try {
      answer = await this.#ask('/settle', payment);
    } catch (error) {
      // It never came to the facilitator; else nobody knows what it has done.
      const isUndone = error instanceof OutboundError && error.fault === 'refused';
      return isUndone
        ? { kind: 'refused', fault: 'unexpected_settle_error' }
        : { kind: 'pending', transaction: '' };
    }
    const hash = textOf(answer['transaction']) ?? '';
    const transaction = hashForm.test(hash) ? hash : '';
    if (answer['success'] === true && isAbout(payment, answer) && transaction !== '') {
      return this.#checked(payment, transaction);
    }
    const fault = codeOf(answer['errorReason']);
    const isOpen = fault === 'settlement_pending' || fault === 'duplicate_settlement';
    // Whoever says anything but a plain no may have moved the money.
    const isSaid = textOf(answer['errorReason']) !== undefined;
    const isRefused = answer['success'] === false && isSaid && !isOpen && hash === '';
    if (!isRefused) return { kind: 'pending', transaction };
    return this.#unlessTaken(payment, fault ?? 'unexpected_settle_error');
  }

  /** Somebody else may have sent the same order first: the money has arrived, whoever says no. */
  async #unlessTaken(payment: ChainPayment, fault: string): Promise<Settlement> {
    // No slack: what was taken before it was claimed has bought something elsewhere.
    const state = await this.#watch?.look(sentOf(payment), 0).catch(() => 'unknown' as const);
    if (state === 'unknown') return { kind: 'pending', transaction: '' };
    if (state?.kind === 'taken') return { kind: 'settled', transaction: state.transaction };
    if (state?.kind === 'unconfirmed') return this.#checked(payment, state.transaction);
    return { kind: 'refused', fault };
  }

  /** What somebody says to have moved counts where the chain says so, too. */
  async #checked(payment: ChainPayment, transaction: string): Promise<Settlement> {
    if (this.#watch === undefined) return { kind: 'settled', transaction };
    const end = performance.now() + receiptTimeoutMs;
    for (;;) {
      const state = await this.#watch.look(sentOf(payment)).catch(() => undefined);
      if (state?.kind === 'taken') return { kind: 'settled', transaction: state.transaction };
      // Our node may be behind theirs by some blocks.
      if (state?.kind === 'void' || performance.now() > end)
        return { kind: 'pending', transaction };
      await new Promise((resolve) => setTimeout(resolve, pollingMs));
    }
  }

  async #ask(path: string, { authorization, requirements, charge }: ChainPayment) {
    const { signature, permit, ...rest } = authorization;
    const paymentPayload = {
      x402Version: 2,
      accepted: requirements,
      payload: permit
        ? { signature, permit2Authorization: writtenPermit(authorization, permit) }
        : { signature, authorization: rest },
    };
    const paymentRequirements =
      charge === undefined ? requirements : { ...requirements, amount: charge };
    const answer = await this.#outbound.fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      accept: 'application/json',
      body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements }),
      maxBytes: mostFacilitatorBytes,
      timeoutMs: facilitatorTimeoutMs,
    });
    if (answer.status !== 200) throw new Error(`the facilitator answered ${answer.status}`);
    const value: unknown = JSON.parse(Buffer.from(answer.body).toString());
    if (!isObject(value))
      throw new Error(`the facilitator answered ${answer.status} and no object`);
    return value;
  }
}

const hashForm = /^0x[0-9a-fA-F]{64}$/;

/** A receipt for another payment is none for this one. */
function isAbout(
  { authorization, requirements, charge = authorization.value }: ChainPayment,
  { network, payer, amount }: Readonly<Record<string, unknown>>,
): boolean {
  return (
    (network === undefined || network === requirements.network) &&
    (payer === undefined || String(payer).toLowerCase() === authorization.from.toLowerCase()) &&
    (amount === undefined || amount === charge)
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
}

/** Agents read what is told to them: a code is one, and no sentence of somebody else. */
function codeOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^[a-z][a-z0-9_]{0,99}$/.test(text) ? text : undefined;
}
