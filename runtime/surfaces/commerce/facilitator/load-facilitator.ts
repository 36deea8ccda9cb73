import { ConfigError } from '#contract/config/config';
import type { Store } from '#contract/house/store';
import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { CommerceTables } from '../../../../generated/surfaces/commerce/tables.ts';
import type { ChainNode } from '../evm/load-node.ts';
import { type ChainSettings, gasKeysOf } from '../offers/settings.ts';
import type { Facilitator } from './facilitator.ts';

export interface LoadFacilitatorParts {
  readonly config: CommerceConfig;
  readonly chain: ChainSettings;
  readonly store: Store<CommerceTables>;
  readonly events: CommerceEvents;
  readonly now: () => number;
  readonly node: () => Promise<ChainNode | undefined>;
}

/** @throws ConfigError where others are to be served, and nothing here could settle for them */
export function requireGas(config: CommerceConfig): void {
  if (!config.facilitates) return;
  if (config.rpcUrl !== undefined && gasKeysOf(config).length > 0) return;
  const variable = 'SERVICE_X402_SERVE_FACILITATOR';
  const expected = 'SERVICE_X402_RPC_URL and SERVICE_X402_PRIVATE_KEY beside it';
  throw new ConfigError([{ variable, expected, received: 'it alone' }]);
}

/** Load what settles for others, with the first who asks. */
export async function loadFacilitator(parts: LoadFacilitatorParts): Promise<Facilitator> {
  const { config, chain, store, events, now } = parts;
  const [{ createFacilitator }, { createFacilitationRecords }, { privateKeyToAccount }, node] =
    await Promise.all([
      import('./facilitator.ts'),
      import('./facilitation-records.ts'),
      import('viem/accounts'),
      parts.node(),
    ]);
  if (node?.settler === undefined) throw new Error('there is nothing that settles for others');
  const { settler, watch } = node;
  return createFacilitator({
    ...{ chain, events, now, settler, watch },
    records: createFacilitationRecords(store, now),
    signers: gasKeysOf(config).map((key) => privateKeyToAccount(key).address),
  });
}
