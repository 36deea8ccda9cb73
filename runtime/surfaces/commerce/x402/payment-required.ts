import type { ChainSettings } from '../offers/settings.ts';
import type { Extensions } from './extensions.ts';

/** What one use costs, as one scheme takes it on one network (x402 v2, PaymentRequirements). */
export interface PaymentRequirements {
  readonly scheme: 'exact' | 'upto';
  /** CAIP-2. */
  readonly network: string;
  /** In the smallest unit of the asset; of the scheme upto the most that is charged. */
  readonly amount: string;
  /** Address of the contract of the token. */
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: {
    /** The domain of the signatures of the token (EIP-712). */
    readonly name: string;
    readonly version: string;
    /** Absent where the token itself takes the order (EIP-3009). */
    readonly assetTransferMethod?: 'permit2';
    /** The account that may settle for less (scheme upto). */
    readonly facilitatorAddress?: string;
  };
}

/** How the money of a payment is moved on a chain. */
export type TransferMethod = 'eip3009' | 'permit2' | 'upto';

/** Ask for an amount of a token, in its smallest unit. */
export function requirementsFor(
  amount: string,
  { network, asset, payTo, facilitator }: RequiringChain,
  timeoutMs: number,
  method: TransferMethod = 'eip3009',
): PaymentRequirements {
  return {
    scheme: method === 'upto' ? 'upto' : 'exact',
    ...{ network, amount, asset: asset.address, payTo },
    maxTimeoutSeconds: Math.ceil(timeoutMs / 1000),
    extra: {
      ...{ name: asset.name, version: asset.version },
      ...(method !== 'eip3009' && { assetTransferMethod: 'permit2' as const }),
      ...(method === 'upto' && { facilitatorAddress: facilitator ?? '' }),
    },
  };
}

type RequiringChain = Pick<ChainSettings, 'network' | 'asset' | 'payTo'> &
  Partial<Pick<ChainSettings, 'facilitator'>>;

/** The opposite. */
export function methodOf({ scheme, extra }: Pick<PaymentRequirements, 'scheme' | 'extra'>) {
  if (scheme === 'upto') return 'upto' satisfies TransferMethod;
  return (extra.assetTransferMethod ?? 'eip3009') satisfies TransferMethod;
}

/** What is sold (x402 v2, ResourceInfo). */
export interface ResourceInfo {
  readonly url: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** Says that something has to be paid, and how (x402 v2, PaymentRequired). */
export interface X402PaymentRequired {
  readonly x402Version: 2;
  /** Why it is not paid yet. */
  readonly error: string;
  readonly resource: ResourceInfo;
  readonly accepts: readonly PaymentRequirements[];
  readonly extensions: Extensions;
}

const known = new WeakMap<object, string>();

/** JSON as headers of x402 carry it; what is told again is encoded once. */
export function headerOf(value: object): string {
  const before = known.get(value);
  if (before !== undefined) return before;
  const text = Buffer.from(JSON.stringify(value)).toString('base64');
  known.set(value, text);
  return text;
}
