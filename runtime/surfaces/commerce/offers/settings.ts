import { ConfigError } from '#contract/config/config';
import { isObject } from '#contract/json';
import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';

/** A token of a chain that is worth a US dollar. */
export interface Asset {
  /** Address of its contract, as its issuer writes it. */
  readonly address: string;
  readonly decimals: number;
  readonly symbol: string;
  /** The domain of its signatures (EIP-712). */
  readonly name: string;
  readonly version: string;
}

/** What is paid with on a chain, and who gets it. */
export interface ChainSettings {
  /** CAIP-2: `eip155:8453`. */
  readonly network: string;
  readonly chainId: number;
  readonly asset: Asset;
  /** Empty where nobody is: then nothing is told of chains. */
  readonly payTo: string;
  /** By what a payment of a fixed price is moved, best first. */
  readonly methods: readonly ('eip3009' | 'permit2')[];
  /** The account that may settle for less than the most that was signed; absent where none here can. */
  readonly facilitator?: string;
  /** Whether somebody gets it, and can move it: otherwise prices are told and not taken. */
  readonly isPayable: boolean;
}

/** USDC, by chain: what clients know without being told of it. */
const knownAssets: Readonly<Record<string, Asset>> = {
  'eip155:8453': {
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    decimals: 6,
    symbol: 'USDC',
    name: 'USD Coin',
    version: '2',
  },
  'eip155:84532': {
    address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    decimals: 6,
    symbol: 'USDC',
    name: 'USDC',
    version: '2',
  },
};

const address = /^0x[0-9a-fA-F]{40}$/;

type ChainConfig = Pick<
  CommerceConfig,
  'asset' | 'facilitatorUrl' | 'gasKey' | 'network' | 'payTo' | 'rpcUrl'
> &
  Partial<Pick<CommerceConfig, 'methods'>>;

/**
 * How chains are paid on here.
 *
 * @param facilitator the account of this server that settles
 * @throws ConfigError where settings contradict each other
 */
export function chainSettings(config: ChainConfig, facilitator?: string): ChainSettings {
  const { network, payTo, facilitatorUrl, rpcUrl, gasKey } = config;
  const asset = config.asset === undefined ? knownAssets[network] : readAsset(config.asset);
  if (asset === undefined) {
    throw wrong('SERVICE_X402_ASSET', `the token that is paid with on ${network}`, 'nothing');
  }
  if (!gasKeysOf(config).every(isKey)) {
    const expected = '32 bytes in hexadecimal after 0x; several with commas between them';
    throw wrong('SERVICE_X402_PRIVATE_KEY', expected, 'something else');
  }
  const settles = facilitatorUrl !== undefined || (rpcUrl !== undefined && gasKey !== undefined);
  return {
    network,
    chainId: Number(network.slice('eip155:'.length)),
    asset,
    payTo: payTo ?? '',
    methods: methodsOf(config),
    ...(facilitator !== undefined && facilitatorUrl === undefined && { facilitator }),
    isPayable: payTo !== undefined && settles,
  };
}

const transfers: readonly unknown[] = ['eip3009', 'permit2'];

function methodsOf({ methods = ['eip3009'] }: ChainConfig): ChainSettings['methods'] {
  const isKnown = methods.length > 0 && methods.every((each) => transfers.includes(each));
  if (isKnown) return [...new Set(methods)] as unknown as ChainSettings['methods'];
  const expected = 'eip3009, permit2, or both with a comma between them';
  throw wrong('SERVICE_X402_TRANSFER_METHODS', expected, methods.join(','));
}

/** Whether it is a private key: 32 bytes in hexadecimal. */
export function isKey(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}

/** The keys of the accounts that pay the gas. */
export function gasKeysOf({ gasKey }: Pick<CommerceConfig, 'gasKey'>): readonly `0x${string}`[] {
  const keys = gasKey === undefined ? [] : gasKey.split(',').map((key) => key.trim());
  return keys as `0x${string}`[];
}

function readAsset(text: string): Asset {
  const value = parsed(text);
  if (isObject(value)) {
    const { address: at, decimals, name, version, symbol = name } = value;
    const texts = [at, name, version, symbol].every((each) => typeof each === 'string');
    const digits = Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= 36;
    if (texts && digits && address.test(String(at))) {
      return { address: at, decimals, name, version, symbol } as Asset;
    }
  }
  const example = '{"address":"0x...","decimals":6,"name":"USDC","version":"2"}';
  throw wrong('SERVICE_X402_ASSET', `a JSON object such as ${example}`, text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrong(variable: string, expected: string, received: string): ConfigError {
  return new ConfigError([{ variable, expected, received }]);
}
