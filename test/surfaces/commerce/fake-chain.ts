import type {
  ChainState,
  SentPayment,
} from '../../../runtime/surfaces/commerce/evm/chain-watch.ts';
import type {
  ChainPayment,
  Settlement,
  Settler,
} from '../../../runtime/surfaces/commerce/evm/settler.ts';
import { sentOf } from '../../../runtime/surfaces/commerce/sending/sent-payment.ts';

/** What happens to the next settlement. */
export type Weather = 'fine' | 'slow' | 'queued' | 'lost' | 'refused' | 'front-run';

interface Transfer {
  readonly nonce: string;
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly at: number;
  readonly block: number;
  readonly hash: string;
}

/** A chain with one token that takes each authorization once, and forgets its last transfers when told to. */
export class FakeChain implements Settler {
  readonly #now: () => number;
  #transfers: Transfer[] = [];
  #height = 0;
  /** Sent, and in no block yet. */
  #pool: ChainPayment[] = [];
  weather: Weather[] = [];
  /** How often something was sent to it. */
  sent = 0;
  /** Settlements wait for it. */
  gate: Promise<unknown> = Promise.resolve();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What an account has got, less what it has given. */
  balanceOf(account: string): bigint {
    const name = account.toLowerCase();
    return this.#transfers.reduce((sum, { from, to, value }) => {
      if (to.toLowerCase() === name) return sum + value;
      return from.toLowerCase() === name ? sum - value : sum;
    }, 0n);
  }

  async verify(): Promise<string | undefined> {
    return undefined;
  }

  async settle(payment: ChainPayment): Promise<Settlement> {
    const weather = this.weather.shift() ?? 'fine';
    await this.gate;
    this.sent += 1;
    if (weather === 'queued') {
      this.#pool.push(payment);
      return { kind: 'pending', transaction: '' };
    }
    if (weather === 'lost') return { kind: 'pending', transaction: '' };
    if (weather === 'refused') return { kind: 'refused', fault: 'unexpected_settle_error' };
    if (weather === 'front-run') this.take(payment);
    const transaction = this.take(payment);
    if (weather === 'slow') return { kind: 'pending', transaction: transaction ?? '' };
    this.mine(payment.confirmations);
    if (transaction !== undefined) return { kind: 'settled', transaction };
    const state = await this.look(sentOf(payment));
    return state.kind === 'taken'
      ? { kind: 'settled', transaction: state.transaction }
      : { kind: 'refused', fault: 'invalid_exact_evm_nonce_already_used' };
  }

  /** Move the money, whoever has sent it; nothing where that was done before. */
  take({ authorization }: Pick<ChainPayment, 'authorization'>): string | undefined {
    const { from, to, value, nonce, validBefore } = authorization;
    if (this.#find(nonce) || Number(validBefore) * 1000 < this.#now()) return undefined;
    const hash = `0x${(this.#height + 1).toString(16).padStart(64, '0')}`;
    this.mine(1);
    const [at, block] = [this.#now(), this.#height];
    this.#transfers.push({ nonce, from, to, value: BigInt(value), at, block, hash });
    return hash;
  }

  mine(blocks: number): void {
    this.#height += blocks;
  }

  /** What was queued comes into blocks. */
  mineQueued(): void {
    for (const payment of this.#pool.splice(0)) this.take(payment);
  }

  async look({ nonce, claimedAt, confirmations }: SentPayment): Promise<ChainState> {
    const found = this.#find(nonce);
    if (found === undefined) return { kind: 'not taken' };
    if (found.at < claimedAt) return { kind: 'void' };
    const kind = this.#height - found.block >= confirmations ? 'taken' : 'unconfirmed';
    return { kind, transaction: found.hash };
  }

  /** The last blocks never were. */
  reorganise(depth: number): void {
    const last = this.#height - depth;
    this.#transfers = this.#transfers.filter(({ block }) => block <= last);
  }

  #find(nonce: string): Transfer | undefined {
    return this.#transfers.find((transfer) => transfer.nonce === nonce);
  }
}
