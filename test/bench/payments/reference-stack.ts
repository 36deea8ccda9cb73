import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Chain, keys } from '../../payments/chain.ts';
import { importFrom } from '../../payments/client-packages.ts';
import { signedFor, unwrapped } from '../../payments/shop.ts';

type Any = (...args: unknown[]) => unknown;

interface Facilitator {
  verify(payload: object, requirements: object): Promise<{ readonly isValid: boolean }>;
  settle(payload: object, requirements: object): Promise<{ readonly success: boolean }>;
}

/** How many of so many payments at once the facilitator of x402's authors does not settle. */
export async function referenceLosses(
  chain: Chain,
  accepted: Readonly<Record<string, unknown>>,
  count: number,
): Promise<number> {
  const { x402Facilitator } = await importFrom('@x402/core/facilitator');
  const { toFacilitatorEvmSigner } = await importFrom('@x402/evm');
  const { registerExactEvmScheme } = await importFrom('@x402/evm/exact/facilitator');
  const account = privateKeyToAccount(keys.gas);
  const definition = await chain.client().getChainId();
  const wallet = createWalletClient({
    account,
    chain: {
      ...{ id: definition, name: 'local' },
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [chain.url] } },
    },
    transport: http(chain.url),
  }).extend(publicActions);
  const facilitator = new (x402Facilitator as new () => object)() as Facilitator;
  const signer = (toFacilitatorEvmSigner as Any)({ address: account.address, ...wallet });
  (registerExactEvmScheme as Any)(facilitator, { signer, networks: accepted['network'] });
  const payloads: Record<string, unknown>[] = [];
  for (let made = 0; made < count; made += 1) payloads.push(unwrapped(await signedFor(accepted)));
  const settled = await Promise.all(
    payloads.map(async (payload) => {
      try {
        const { isValid } = await facilitator.verify(payload, accepted);
        return isValid && (await facilitator.settle(payload, accepted)).success;
      } catch {
        return false;
      }
    }),
  );
  return settled.filter((isSettled) => !isSettled).length;
}
