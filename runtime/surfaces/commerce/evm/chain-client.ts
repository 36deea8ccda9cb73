import { createPublicClient, http, type PublicClient } from 'viem';
import { mostBatched, pollingMs, rpcTimeoutMs } from '../numbers.ts';
import { askNode } from './ask-node.ts';

/** Make what asks a node of the chain. */
export function chainClient(rpcUrl: string): PublicClient {
  const transport = http(rpcUrl, {
    ...{ timeout: rpcTimeoutMs, retryCount: 1 },
    batch: { batchSize: mostBatched },
    fetchFn: askNode,
  });
  return createPublicClient({ transport, pollingInterval: pollingMs });
}

/** What went wrong with a node, without its address, in which a key may stand. */
export function chainFault(error: unknown): string {
  const { name, shortMessage } = error as {
    readonly name?: string;
    readonly shortMessage?: string;
  };
  return `${name ?? 'Error'}: ${(shortMessage ?? 'the node does not answer').split('\n')[0]}`;
}
