import { type Hex, keccak256, type PublicClient, type TransactionReceipt } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { mostFlights, mostTries, receiptTimeoutMs, stuckMs as usualStuckMs } from '../numbers.ts';
import { type Fees, FeeWatch } from './fees.ts';
import { type Flight, FlightWatch, lastOf } from './flights.ts';
import { GasWatch } from './gas-watch.ts';
import type { Outgoing } from './outgoing.ts';

/** What was sent: without a receipt, nobody knows yet what became of it. */
export interface Sent {
  readonly hash: Hex;
  readonly receipt: TransactionReceipt | undefined;
}

/** Nothing was sent: it would have failed. */
export class Unsent extends Error {
  constructor(cause: unknown) {
    super(String(cause), { cause });
    this.name = 'Unsent';
  }
}

export interface SenderSettings {
  readonly chainId: number;
  /** After so long without a step of the account something is done about it. */
  readonly stuckMs?: number;
}

/**
 * Sends transactions of one account, many at a time. Their numbers are given out here, because a node
 * counts what is pending too late when many are sent at once; what is stuck is sent again for more,
 * and what lost its number to somebody who uses the same account gets another one.
 */
export class Sender {
  readonly #client: PublicClient;
  readonly #account: PrivateKeyAccount;
  readonly #chainId: number;
  readonly #flights: FlightWatch;
  readonly #fees: FeeWatch;
  readonly #gas: GasWatch;
  #sending = 0;
  #next: number | undefined;
  #counting: Promise<number> | undefined;

  constructor(
    client: PublicClient,
    account: PrivateKeyAccount,
    { chainId, stuckMs = usualStuckMs }: SenderSettings,
  ) {
    this.#client = client;
    this.#account = account;
    this.#chainId = chainId;
    this.#fees = new FeeWatch(client);
    const { address } = account;
    this.#gas = new GasWatch(client, address);
    this.#flights = new FlightWatch(client, address, {
      stuckMs,
      replace: (flight) => this.#replace(flight),
      fill: (nonce, round) => this.#fill(nonce, round),
    });
  }

  get address(): Hex {
    return this.#account.address;
  }

  /** How many are on their way, or about to be. */
  get load(): number {
    return Math.max(this.#sending, this.#flights.size);
  }

  /**
   * Send, and wait until it is so many blocks deep; not for longer than somebody waits who pays, and
   * not when the signal says that nobody waits any more.
   *
   * @throws Unsent where it would fail, and nothing was sent
   * @throws where nothing of what was sent will ever be taken
   */
  async send(outgoing: Outgoing, confirmations: number, signal?: AbortSignal): Promise<Sent> {
    this.#sending += 1;
    try {
      return await this.#send(outgoing, confirmations, signal);
    } finally {
      this.#sending -= 1;
    }
  }

  async #send(
    outgoing: Outgoing,
    confirmations: number,
    signal: AbortSignal | undefined,
  ): Promise<Sent> {
    for (let attempt = 1; attempt <= mostTries; attempt += 1) {
      if (this.#flights.size >= mostFlights) throw new Error('too much is on its way already');
      const [gas, fees] = await this.#costs(outgoing).catch((error: unknown) => {
        throw attempt === 1 ? new Unsent(error) : error;
      });
      const flight = await this.#launch({ ...outgoing, gas }, fees, confirmations);
      const landed = await within(flight.landed, receiptTimeoutMs, signal);
      if (landed === undefined) return { hash: lastOf(flight), receipt: undefined };
      if (landed !== 'lost') return { hash: landed.transactionHash, receipt: landed };
      this.#next = undefined;
    }
    throw new Error('others took the number of the transaction each time');
  }

  #costs(outgoing: Outgoing): Promise<[gas: bigint, fees: Fees]> {
    return Promise.all([this.#gas.limit(outgoing), this.#fees.now()]);
  }

  async #launch(request: Flight['request'], fees: Fees, confirmations: number): Promise<Flight> {
    const flight = this.#flights.add(await this.#number(), request, fees, confirmations);
    await this.#broadcast(flight, fees);
    return flight;
  }

  /** What a node answers with an error it may have taken: then the watch finds it, or it is sent again. */
  async #broadcast(flight: Flight, fees: Fees): Promise<void> {
    const { request, nonce } = flight;
    const serializedTransaction = await this.#signed({ ...request, nonce, ...fees });
    flight.hashes.push(keccak256(serializedTransaction));
    flight.fees = fees;
    flight.sentAt = performance.now();
    try {
      await this.#client.sendRawTransaction({ serializedTransaction });
    } catch (error) {
      if (isTaken(error)) this.#flights.giveUp(flight, 'lost');
      else if (isRefused(error) && flight.hashes.length === 1) {
        this.#next = undefined;
        this.#flights.giveUp(flight, error as Error);
      }
    }
  }

  /** The same for more: nodes demand a tenth more at least. */
  async #replace(flight: Flight): Promise<void> {
    await this.#broadcast(flight, raised(flight.fees, await this.#fees.now()));
  }

  /** Nothing of ours has this number, and all that waits behind it: a process before this one sent it. */
  async #fill(nonce: number, round: number): Promise<void> {
    const { address: to } = this.#account;
    let fees = await this.#fees.now();
    for (let time = 0; time < round; time += 1) fees = raised(fees, fees);
    const serializedTransaction = await this.#signed({ to, gas: 21_000n, nonce, ...fees });
    await this.#client.sendRawTransaction({ serializedTransaction }).catch(() => {});
  }

  #signed(request: { to: Hex; data?: Hex; gas: bigint; nonce: number } & Fees): Promise<Hex> {
    const chainId = this.#chainId;
    return this.#account.signTransaction({ ...request, chainId, type: 'eip1559' });
  }

  /** The next number that nothing of ours has. */
  async #number(): Promise<number> {
    if (this.#next === undefined) {
      const { address } = this.#account;
      this.#counting ??= this.#client
        .getTransactionCount({ address, blockTag: 'pending' })
        .finally(() => {
          this.#counting = undefined;
        });
      const counted = await this.#counting;
      this.#next ??= counted;
    }
    let nonce = this.#next;
    while (this.#flights.has(nonce)) nonce += 1;
    this.#next = nonce + 1;
    return nonce;
  }
}

function raised(before: Fees, now: Fees): Fees {
  const more = (old: bigint, fresh: bigint) => {
    const least = (old * 5n) / 4n + 1n;
    return least > fresh ? least : fresh;
  };
  return {
    maxFeePerGas: more(before.maxFeePerGas, now.maxFeePerGas),
    maxPriorityFeePerGas: more(before.maxPriorityFeePerGas, now.maxPriorityFeePerGas),
  };
}

async function within<Value>(
  promise: Promise<Value>,
  ms: number,
  signal?: AbortSignal,
): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  const timer = setTimeout(end, ms);
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Somebody else has sent, or sends, from the same account with this number. */
function isTaken(error: unknown): boolean {
  return /nonce too low|replacement transaction underpriced/i.test(String(error));
}

/** A node that says so has not taken it. */
function isRefused(error: unknown): boolean {
  return /insufficient funds|nonce too high|intrinsic gas|exceeds block gas limit|invalid chain/i.test(
    String(error),
  );
}
