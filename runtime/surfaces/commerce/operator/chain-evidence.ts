import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';
import { chainClient, chainFault } from '../evm/chain-client.ts';
import { isOnChain, tokensOf } from '../evm/chain-evidence.ts';
import type { ChainSettings } from '../offers/settings.ts';
import type { OperatorParts } from './operator-parts.ts';

/** Looks things up on the chain of the settings; of other chains, and without a node, nobody can say. */
export function chainEvidence(
  { rpcUrl }: CommerceConfig,
  { network }: ChainSettings,
): Pick<OperatorParts, 'evidence' | 'fundsOf'> {
  const client = rpcUrl === undefined ? undefined : chainClient(rpcUrl);
  return {
    async evidence(entry, { payer, pay_to: payTo }) {
      const { asset, amount, reference: transaction } = entry;
      if (client === undefined || entry.network !== network || transaction === '') return 'unknown';
      const way = entry.debit === 'funds' ? { payer, payTo } : { payer: payTo, payTo: payer };
      const isThere = await explained(isOnChain(client, { asset, amount, transaction, ...way }));
      return isThere ? 'there' : 'missing';
    },
    async fundsOf({ network: where, asset, payTo }) {
      if (client === undefined || where !== network) return undefined;
      return explained(tokensOf(client, asset, payTo));
    },
  };
}

/** Without the address of the node, in which a key may stand. */
async function explained<Told>(asked: Promise<Told>): Promise<Told> {
  try {
    return await asked;
  } catch (error) {
    throw new Error(`the chain cannot be asked: ${chainFault(error)}`);
  }
}
