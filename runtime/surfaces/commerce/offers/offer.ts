import { ConfigError } from '#contract/config/config';
import type { Operation, Price, Rail } from '#contract/operation';
import { type CardCharge, cardCharge } from '../card/card-charge.ts';
import { leastTimeoutMs, usualTimeoutMs } from '../numbers.ts';
import { discoveryOf } from '../x402/bazaar.ts';
import type { Extension } from '../x402/extensions.ts';
import {
  type PaymentRequirements,
  requirementsFor,
  type TransferMethod,
} from '../x402/payment-required.ts';
import type { Accepted } from './accepted.ts';
import { atomicAmount } from './atomic-amount.ts';

/** How one operation can be paid. It is the same for all who ask. */
export interface Offer {
  readonly operation: Operation;
  readonly price: Price;
  /** By what it can be paid, best first. */
  readonly rails: readonly Rail[];
  /** Absent where its price names other rails only. */
  readonly x402: PaymentRequirements | undefined;
  /** All ways of x402, best first. */
  readonly accepts: readonly PaymentRequirements[];
  /** What `evm/charge` of MPP asks for; absent likewise. */
  readonly charge: EvmCharge | undefined;
  /** What `stripe/charge` of MPP asks for; absent also where no cards are taken, or so little. */
  readonly card: CardCharge | undefined;
  readonly timeoutMs: number;
  /** How it is called (x402 v2, extension bazaar). */
  readonly discovery: Extension;
}

/** What is asked for by the method `evm` with the intent `charge` (draft-evm-charge-00). */
export interface EvmCharge {
  readonly amount: string;
  readonly currency: string;
  readonly recipient: string;
  readonly methodDetails: {
    readonly chainId: number;
    readonly credentialTypes: readonly ['authorization'];
    readonly decimals: number;
  };
}

/**
 * Say how an operation can be paid.
 *
 * @throws ConfigError where its price cannot be paid by any rail
 */
export function offerOf(operation: Operation, price: Price, accepted: Accepted): Offer {
  const { maxTimeoutMs: timeoutMs = usualTimeoutMs } = price;
  if (timeoutMs < leastTimeoutMs) throw unpayable(operation, price, 'max_timeout is 30s at least');
  const card = cardCharge(price, accepted.card);
  const isTaken = typeof card === 'object';
  const rails = railsOf(price, accepted, isTaken);
  // Nobody is paid on a chain as long as nobody says who: the refusal says what to set.
  const isUnset =
    accepted.chain.payTo === '' && price.rails?.every((rail) => rail === 'card') !== true;
  if (rails.length === 0 && !isUnset) throw unpayable(operation, price, whyNot(price, card));
  const { asset, chainId, payTo } = accepted.chain;
  const amount = atomicAmount(price.amount, asset.decimals);
  const takesChain = (price.rails ?? usualRails(accepted, isTaken)).some((rail) => rail !== 'card');
  if (takesChain && amount === undefined) {
    throw unpayable(operation, price, `${asset.symbol} has ${asset.decimals} decimals`);
  }
  const { metered } = price;
  if (metered && atomicAmount(metered.amount, asset.decimals) === undefined) {
    throw unpayable(operation, price, `${asset.symbol} has ${asset.decimals} decimals`);
  }
  const onChain = amount ?? '';
  const accepts = rails.includes('x402')
    ? methodsOf(price, accepted).map((method) =>
        requirementsFor(onChain, accepted.chain, timeoutMs, method),
      )
    : [];
  return {
    ...{ operation, price, rails, timeoutMs, discovery: discoveryOf(operation) },
    ...{ accepts, x402: accepts[0] },
    charge: rails.includes('mpp')
      ? {
          ...{ amount: onChain, currency: asset.address, recipient: payTo },
          methodDetails: {
            ...{ chainId, decimals: asset.decimals },
            credentialTypes: ['authorization'],
          },
        }
      : undefined,
    card: isTaken && rails.includes('card') ? card : undefined,
  };
}

/** All that is set up; a chain is told of also where nothing moves what is paid. */
function usualRails({ chain }: Accepted, takesCard: boolean): readonly Rail[] {
  const onChain: readonly Rail[] = chain.isPayable || !takesCard ? ['x402', 'mpp'] : [];
  return takesCard ? [...onChain, 'card'] : onChain;
}

/** Those of them, or of the ones that the price names, by which it can be paid. */
function railsOf(
  { rails: named, metered }: Price,
  accepted: Accepted,
  takesCard: boolean,
): readonly Rail[] {
  const { chain } = accepted;
  const set: Readonly<Record<Rail, boolean>> = {
    x402: chain.payTo !== '' && (metered === undefined || chain.facilitator !== undefined),
    mpp: chain.payTo !== '' && metered === undefined,
    card: takesCard && metered === undefined,
  };
  return (named ?? usualRails(accepted, takesCard)).filter((rail) => set[rail]);
}

/** What is metered is paid by the one scheme that charges less than was signed. */
function methodsOf({ metered }: Price, { chain }: Accepted): readonly TransferMethod[] {
  return metered === undefined ? chain.methods : ['upto'];
}

function whyNot({ metered }: Price, card: CardCharge | string): string {
  return metered === undefined
    ? String(card)
    : 'what is metered is paid by x402, and settled by SERVICE_X402_PRIVATE_KEY of this server';
}

function unpayable({ name }: Operation, price: Price, why: string): ConfigError {
  const received = `${price.amount} ${price.currency}`;
  const expected = `a price of ${name} that can be paid (${why})`;
  return new ConfigError([{ variable: 'SERVICE_POLICY_FILE', expected, received }]);
}
