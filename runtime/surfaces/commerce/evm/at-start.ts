import { ConfigError } from '#contract/config/config';
import { type Outbound, OutboundError } from '#contract/house/outbound';
import { isObject } from '#contract/json';
import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';
import { chainIdTimeoutMs, mostFacilitatorBytes } from '../numbers.ts';
import type { ChainSettings } from '../offers/settings.ts';
import { askNode } from './ask-node.ts';

/** What a node or a facilitator that is asked at the start has said of itself. */
export type AtStart = 'right' | 'silent';

/**
 * Ask the node which chain it belongs to. Payments for one chain that are looked for on another one
 * would all seem never to have come.
 *
 * @throws ConfigError where it is another one; a node that does not answer now may do so later
 */
export async function requireChain(
  rpcUrl: string,
  { chainId }: Pick<ChainSettings, 'chainId'>,
): Promise<AtStart> {
  const id = await chainIdOf(rpcUrl).catch(() => undefined);
  if (id === undefined) return 'silent';
  if (id === chainId) return 'right';
  const expected = `a node of the chain of SERVICE_X402_NETWORK, eip155:${chainId}`;
  const received = `one of eip155:${id}`;
  throw new ConfigError([{ variable: 'SERVICE_X402_RPC_URL', expected, received }]);
}

async function chainIdOf(rpcUrl: string): Promise<number | undefined> {
  const answer = await askNode(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    signal: AbortSignal.timeout(chainIdTimeoutMs),
  });
  const value: unknown = await answer.json();
  const result = isObject(value) ? value['result'] : undefined;
  return typeof result === 'string' && /^0x[0-9a-f]{1,13}$/i.test(result)
    ? Number(result)
    : undefined;
}

/**
 * Ask a facilitator what it takes (x402 v2, facilitator interface).
 *
 * @throws ConfigError where this server does not go there, or where it settles nothing on that chain
 */
export async function requireFacilitator(
  url: string,
  { network }: ChainSettings,
  outbound: Pick<Outbound, 'fetch'>,
): Promise<AtStart> {
  const wrong = (expected: string, received: string) =>
    new ConfigError([{ variable: 'SERVICE_X402_FACILITATOR_URL', expected, received }]);
  let kinds: unknown;
  try {
    const answer = await outbound.fetch(`${url.replace(/\/$/, '')}/supported`, {
      accept: 'application/json',
      maxBytes: mostFacilitatorBytes,
      timeoutMs: chainIdTimeoutMs,
    });
    const value: unknown = JSON.parse(Buffer.from(answer.body).toString());
    kinds = isObject(value) ? value['kinds'] : undefined;
  } catch (error) {
    if (!(error instanceof OutboundError) || error.fault !== 'refused') return 'silent';
    const expected =
      'an https URL at a public address, or at one of SERVICE_OUTBOUND_ALLOW; http only on this machine, with SERVICE_ALLOW_INSECURE_FETCH';
    throw wrong(expected, new URL(url).origin);
  }
  if (!Array.isArray(kinds)) return 'silent';
  const takes = kinds.some((kind: unknown) => {
    return isObject(kind) && kind['scheme'] === 'exact' && kind['network'] === network;
  });
  if (takes) return 'right';
  throw wrong(`a facilitator that settles exact on ${network}`, 'one that does not');
}

/** Ask both, where they are set. */
export async function requireRails(
  { rpcUrl, facilitatorUrl }: Pick<CommerceConfig, 'rpcUrl' | 'facilitatorUrl'>,
  chain: ChainSettings,
  outbound: Pick<Outbound, 'fetch'>,
): Promise<readonly string[]> {
  const [node, facilitator] = await Promise.all([
    rpcUrl === undefined ? 'right' : requireChain(rpcUrl, chain),
    facilitatorUrl === undefined ? 'right' : requireFacilitator(facilitatorUrl, chain, outbound),
  ]);
  return [
    ...(node === 'silent' ? ['SERVICE_X402_RPC_URL'] : []),
    ...(facilitator === 'silent' ? ['SERVICE_X402_FACILITATOR_URL'] : []),
  ];
}
