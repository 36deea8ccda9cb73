import { permit2, proxies } from '../../../runtime/surfaces/commerce/evm/permit.ts';
import {
  exactPermitTypes,
  uptoPermitTypes,
} from '../../../runtime/surfaces/commerce/evm/permit-abi.ts';
import { chainId, usdc } from '../chain.ts';
import { payer, type Signed, wrapped } from '../shop.ts';

/** What an order to Permit2 says besides; what is left out is as it should be. */
export interface SignedPermit extends Omit<Signed, 'nonce'> {
  readonly nonce?: bigint;
  readonly spender?: string;
  readonly token?: string;
  readonly facilitator?: string;
}

/** A payment of x402 by Permit2, written by hand. */
export async function signedPermit(
  accepted: Readonly<Record<string, unknown>>,
  { account = payer, ...signed }: SignedPermit = {},
): Promise<string> {
  const extra = accepted['extra'] as Readonly<Record<string, string>>;
  const isUpto = accepted['scheme'] === 'upto';
  const random = BigInt(
    `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`,
  );
  const witness = {
    to: signed.to ?? String(accepted['payTo']),
    ...(isUpto && { facilitator: signed.facilitator ?? extra['facilitatorAddress'] }),
    validAfter: String(signed.validAfter ?? 0),
  };
  const permit2Authorization = {
    from: account.address,
    permitted: {
      token: signed.token ?? usdc,
      amount: signed.amount ?? String(accepted['amount']),
    },
    spender: signed.spender ?? (isUpto ? proxies.upto : proxies.permit2),
    nonce: String(signed.nonce ?? random),
    deadline: String(signed.validBefore ?? Math.floor(Date.now() / 1000) + 300),
    witness,
  };
  const signature = await account.signTypedData({
    domain: { name: 'Permit2', chainId, verifyingContract: permit2 },
    types: isUpto ? uptoPermitTypes : exactPermitTypes,
    primaryType: 'PermitWitnessTransferFrom',
    message: permit2Authorization as never,
  });
  return wrapped({ x402Version: 2, accepted, payload: { signature, permit2Authorization } });
}
