import type { Hex, PublicClient } from 'viem';
import type { House } from '#contract/house/house';
import { isObject } from '#contract/json';
import type { Finding } from '#contract/surface/finding';
import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';
import { chainClient, chainFault } from '../evm/chain-client.ts';
import { leastGasWei, mostFacilitatorBytes, rpcTimeoutMs } from '../numbers.ts';
import { type ChainSettings, gasKeysOf } from '../offers/settings.ts';
import { decimalAmount } from './decimal-amount.ts';
import type { OperatorParts } from './operator-parts.ts';

interface DiagnosedParts extends Pick<OperatorParts, 'records'> {
  readonly config: CommerceConfig;
  readonly chain: ChainSettings;
  readonly house: Pick<House, 'outbound'>;
}

/** Look whether payments can be taken and given back; nothing is changed. */
export async function* diagnose(parts: DiagnosedParts): AsyncGenerator<Finding> {
  const { config, chain, records, house } = parts;
  if (!chain.isPayable) {
    const text = 'payments on a chain: off; prices are told and nothing can be paid';
    const fix =
      'to take money, set SERVICE_X402_PAY_TO, and SERVICE_X402_FACILITATOR_URL or SERVICE_X402_RPC_URL with SERVICE_X402_PRIVATE_KEY';
    yield { kind: 'ok', text, fix };
  } else {
    const { network, asset, payTo } = chain;
    yield { kind: 'ok', text: `payments: ${asset.symbol} on ${network} to ${payTo}` };
    const { facilitatorUrl } = config;
    if (facilitatorUrl !== undefined) yield await checkFacilitator(facilitatorUrl, chain, house);
  }
  if (config.rpcUrl !== undefined) yield* checkNode(chainClient(config.rpcUrl), parts);
  else if (chain.isPayable) {
    yield {
      kind: 'advice',
      text: 'no node of the chain is known: nobody can find out what became of a payment whose server died',
      fix: 'set SERVICE_X402_RPC_URL',
    };
  }
  yield* checkWaiting(records);
}

async function* checkNode(
  client: PublicClient,
  { config, chain }: DiagnosedParts,
): AsyncGenerator<Finding> {
  try {
    const found = await client.getChainId();
    if (found !== chain.chainId) {
      const text = `the node is one of the chain ${found}, and SERVICE_X402_NETWORK says ${chain.network}`;
      yield { kind: 'problem', text, fix: 'set one of them to the chain of the other' };
      return;
    }
    yield { kind: 'ok', text: `the node answers, ${chain.network}` };
    yield await checkToken(client, chain);
    yield* await checkAccounts(client, config, chain);
  } catch (error) {
    const text = `the node does not answer: ${chainFault(error)}`;
    yield { kind: 'problem', text, fix: 'check SERVICE_X402_RPC_URL and the network' };
  }
}

async function checkToken(client: PublicClient, { asset }: ChainSettings): Promise<Finding> {
  const code = await client.getCode({ address: asset.address as Hex });
  if (code !== undefined && code !== '0x') {
    return { kind: 'ok', text: `the token ${asset.symbol} is there at ${asset.address}` };
  }
  const text = `there is no token at ${asset.address}`;
  return { kind: 'problem', text, fix: 'check SERVICE_X402_ASSET and SERVICE_X402_NETWORK' };
}

/** The accounts that pay the gas, and the key with which money goes back. */
async function checkAccounts(
  client: PublicClient,
  config: CommerceConfig,
  { payTo }: ChainSettings,
): Promise<readonly Finding[]> {
  const { privateKeyToAccount } = await import('viem/accounts');
  const accounts = gasKeysOf(config).map((key) => privateKeyToAccount(key).address);
  if (accounts.length === 0) return [];
  const gas = await Promise.all(
    accounts.map(async (address): Promise<Finding> => {
      const balance = await client.getBalance({ address });
      const text = `the account ${address} that pays the gas has ${decimalAmount(balance, 18)} ether`;
      const fix = 'send it some';
      return balance >= leastGasWei ? { kind: 'ok', text } : { kind: 'problem', text, fix };
    }),
  );
  const isOwn = accounts.some((address) => address.toLowerCase() === payTo.toLowerCase());
  if (config.refundKey !== undefined || isOwn) return gas;
  return [
    ...gas,
    {
      kind: 'advice',
      text: 'there is no key with which payments go back: what is due waits for you',
      fix: 'set SERVICE_X402_REFUND_PRIVATE_KEY_FILE',
    },
  ];
}

async function checkFacilitator(
  url: string,
  { network }: ChainSettings,
  { outbound }: Pick<House, 'outbound'>,
): Promise<Finding> {
  const fix = 'check SERVICE_X402_FACILITATOR_URL and SERVICE_X402_NETWORK';
  try {
    const { status, body } = await outbound.fetch(`${url.replace(/\/$/, '')}/supported`, {
      accept: 'application/json',
      ...{ maxBytes: mostFacilitatorBytes, timeoutMs: rpcTimeoutMs },
    });
    if (status === 200 && takes(JSON.parse(Buffer.from(body).toString()), network)) {
      return { kind: 'ok', text: `the facilitator settles exact on ${network}` };
    }
    const text = `the facilitator answered ${status} and does not name exact on ${network}`;
    return { kind: 'problem', text, fix };
  } catch (error) {
    return { kind: 'problem', text: `the facilitator: ${(error as Error).message}`, fix };
  }
}

function takes(supported: unknown, network: string): boolean {
  const kinds = isObject(supported) ? supported['kinds'] : undefined;
  return (
    Array.isArray(kinds) &&
    kinds.some((each) => each?.scheme === 'exact' && each?.network === network)
  );
}

async function* checkWaiting(records: OperatorParts['records']): AsyncGenerator<Finding> {
  const pending = await records.waiting('pending');
  const text = `${pending} payments whose outcome is not known yet`;
  const fix = 'they are looked up every minute; "agent-tool-server payments list --state pending"';
  yield pending === 0 ? { kind: 'ok', text } : { kind: 'advice', text, fix };
  const running = await records.waiting('executing');
  yield {
    ...{ kind: 'ok', text: `${running} paid calls are in work` },
    ...(running > 0 && {
      fix: 'what lost its process goes back by itself: after the next start with SQLite, after 75 minutes with PostgreSQL',
    }),
  };
  const due = await records.waiting('refund_due');
  yield due === 0
    ? { kind: 'ok', text: 'no refund is due' }
    : {
        kind: 'problem',
        text: `${due} refunds are due and not done`,
        fix: '"agent-tool-server payments list --state refund_due"; see whether there is a key for them, and money and gas',
      };
}
