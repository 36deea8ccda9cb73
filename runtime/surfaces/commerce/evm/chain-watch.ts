import { decodeEventLog, type Hex, type PublicClient, type TransactionReceipt } from 'viem';
import { blocksAtOnce, clockSlackMs, mostBlocks } from '../numbers.ts';
import { permit2 } from './permit.ts';
import { permit2Abi } from './permit-abi.ts';
import { nonceOfCall } from './permit-call.ts';
import { tokenAbi } from './token-abi.ts';

/** What is known of a payment without its signature. */
export interface SentPayment {
  readonly asset: string;
  readonly payer: string;
  readonly payTo: string;
  readonly amount: string;
  readonly nonce: string;
  /** Whether it is an order to Permit2: then that knows the number, and not the token. */
  readonly isPermit: boolean;
  /** Milliseconds since the epoch: what was taken before is not for this one. */
  readonly claimedAt: number;
  /** Blocks after the one in which it was taken before it counts. */
  readonly confirmations: number;
}

/** What a chain has made of a payment. */
export type ChainState =
  | { readonly kind: 'taken'; readonly transaction: string }
  /** It was, but not so many blocks ago that it counts. */
  | { readonly kind: 'unconfirmed'; readonly transaction: string }
  | { readonly kind: 'not taken' }
  /** Its payer has taken it back, or it was taken for something else. */
  | { readonly kind: 'void' };

/** Asks the chain what became of payments: each is taken once, whoever has sent it. */
export class ChainWatch {
  readonly #client: PublicClient;

  constructor(client: PublicClient) {
    this.#client = client;
  }

  /**
   * @param slackMs how far the clock of the chain may be behind; none where it would be for others
   * @throws where the node does not say
   */
  async look(payment: SentPayment, slackMs = clockSlackMs): Promise<ChainState> {
    const address = payment.asset as Hex;
    const [authorizer, nonce] = [payment.payer as Hex, payment.nonce as Hex];
    if (payment.isPermit) return this.#lookForPermit(payment, slackMs);
    const isUsed = await this.#client.readContract({
      ...{ address, abi: tokenAbi, functionName: 'authorizationState' },
      args: [authorizer, nonce],
    });
    if (!isUsed) return { kind: 'not taken' };
    const latest = await this.#client.getBlockNumber({ cacheTime: 0 });
    for (const range of ranges(latest)) {
      const [log] = await this.#client.getContractEvents({
        ...{ address, abi: tokenAbi, eventName: 'AuthorizationUsed' },
        args: { authorizer, nonce },
        ...range,
      });
      if (log) return this.#judge(payment, log.transactionHash, latest, slackMs);
    }
    return { kind: 'void' };
  }

  /**
   * Permit2 tells of no number that is used up by a transfer: of the transfers to whom is paid, the one
   * is looked for whose transaction has used it. One that came another way than through the proxy may
   * have used several numbers for one transfer, so that a person has to look.
   */
  async #lookForPermit(payment: SentPayment, slackMs: number): Promise<ChainState> {
    const nonce = BigInt(payment.nonce);
    const word = await this.#client.readContract({
      ...{ address: permit2, abi: permit2Abi, functionName: 'nonceBitmap' },
      args: [payment.payer as Hex, nonce >> 8n],
    });
    if (((word >> (nonce & 255n)) & 1n) === 0n) return { kind: 'not taken' };
    const latest = await this.#client.getBlockNumber({ cacheTime: 0 });
    let other: ChainState | undefined;
    for (const range of ranges(latest)) {
      const logs = await this.#client.getContractEvents({
        ...{ address: payment.asset as Hex, abi: tokenAbi, eventName: 'Transfer' },
        args: { from: payment.payer as Hex, to: payment.payTo as Hex },
        ...range,
      });
      for (const { args, transactionHash: hash } of logs.toReversed()) {
        if (args.value !== BigInt(payment.amount)) continue;
        const { to, input } = await this.#client.getTransaction({ hash });
        const isIts = nonceOfCall(to, input) === nonce;
        if (isIts) return this.#judge(payment, hash, latest, slackMs);
        const isNamed = input.includes(nonce.toString(16).padStart(64, '0'));
        if (isNamed) other ??= { kind: 'unconfirmed', transaction: hash };
      }
    }
    return other ?? { kind: 'void' };
  }

  async #judge(
    payment: SentPayment,
    hash: Hex,
    latest: bigint,
    slackMs: number,
  ): Promise<ChainState> {
    const receipt = await this.#client.getTransactionReceipt({ hash });
    const { timestamp } = await this.#client.getBlock({ blockNumber: receipt.blockNumber });
    const isOurs = Number(timestamp) * 1000 + slackMs >= payment.claimedAt;
    if (!isOurs || !hasMoved(payment, receipt)) return { kind: 'void' };
    const isDeep = latest - receipt.blockNumber >= BigInt(payment.confirmations);
    return { kind: isDeep ? 'taken' : 'unconfirmed', transaction: hash };
  }
}

/** The newest blocks first: nodes give the events of a few thousand at a time. */
function* ranges(latest: bigint) {
  const oldest = latest > mostBlocks ? latest - BigInt(mostBlocks) : 0n;
  for (let toBlock = latest; ; toBlock -= BigInt(blocksAtOnce)) {
    const begin = toBlock - BigInt(blocksAtOnce) + 1n;
    const fromBlock = begin > oldest ? begin : oldest;
    yield { fromBlock, toBlock };
    if (fromBlock === oldest) return;
  }
}

/** Whether exactly this was moved: a token can say yes and do something else. */
export function hasMoved(
  { asset, payer, payTo, amount }: Pick<SentPayment, 'asset' | 'payer' | 'payTo' | 'amount'>,
  receipt: TransactionReceipt,
): boolean {
  return receipt.logs.some(({ address, topics, data }) => {
    if (address.toLowerCase() !== asset.toLowerCase()) return false;
    try {
      const { eventName, args } = decodeEventLog({ abi: tokenAbi, topics, data });
      return (
        eventName === 'Transfer' &&
        args.from.toLowerCase() === payer.toLowerCase() &&
        args.to.toLowerCase() === payTo.toLowerCase() &&
        args.value === BigInt(amount)
      );
    } catch {
      return false;
    }
  });
}
