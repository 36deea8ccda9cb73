import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';
import { type ChainSettings, gasKeysOf } from '../offers/settings.ts';
import type { ChainWatch } from './chain-watch.ts';
import type { Settler } from './settler.ts';

/** What speaks with a node of the chain. */
export interface ChainNode {
  readonly watch: Pick<ChainWatch, 'look'>;
  /** Absent where no account of this server pays gas. */
  readonly settler: Settler | undefined;
}

/**
 * Load it, once for all who use it: the numbers of an account's transactions are given out in one
 * place. Nothing where no node is known.
 */
export async function loadNode(
  config: CommerceConfig,
  chain: ChainSettings,
): Promise<ChainNode | undefined> {
  const { rpcUrl } = config;
  if (rpcUrl === undefined) return undefined;
  const [{ ChainWatch }, { LocalSettler }, { chainClient }] = await Promise.all([
    import('./chain-watch.ts'),
    import('./local-settler.ts'),
    import('./chain-client.ts'),
  ]);
  const { nodeCheck, checkedSettler, checkedWatch } = await import('./checked-node.ts');
  const { chainId } = chain;
  const client = chainClient(rpcUrl);
  const isRight = nodeCheck(rpcUrl, chain);
  const gasKeys = gasKeysOf(config);
  return {
    watch: checkedWatch(new ChainWatch(client), isRight),
    settler:
      gasKeys.length > 0
        ? checkedSettler(new LocalSettler(client, { chainId, gasKeys }), isRight)
        : undefined,
  };
}
