import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem';
import type { Authorization, PermitTerms } from './authorization.ts';
import { permit2, proxies } from './permit.ts';
import { exactPermitTypes, exactProxyAbi, uptoPermitTypes, uptoProxyAbi } from './permit-abi.ts';
import { signerOfTyped } from './typed-data/signer.ts';
import { typedHash } from './typed-data/typed-hash.ts';

const exactHash = typedHash(exactPermitTypes, 'PermitWitnessTransferFrom');
const uptoHash = typedHash(uptoPermitTypes, 'PermitWitnessTransferFrom');

type Order = Omit<Authorization, 'permit'> & { readonly permit: PermitTerms };

function permitOf({ value, validBefore, nonce, permit }: Order) {
  return {
    permitted: { token: permit.token as Hex, amount: BigInt(value) },
    ...{ nonce: BigInt(nonce), deadline: BigInt(validBefore) },
  };
}

/** Who has signed an order to Permit2 with a key; nothing where nobody has. */
export function signerOfPermit(order: Order, chainId: number): Hex | undefined {
  const { permit, to, validAfter, signature } = order;
  const { spender, facilitator } = permit;
  const domain = { name: 'Permit2', chainId, verifyingContract: permit2 as Hex };
  const witness = { to, facilitator, validAfter: BigInt(validAfter) };
  const message = { ...permitOf(order), spender, witness };
  const hash = facilitator === undefined ? exactHash : uptoHash;
  return signerOfTyped(domain, hash, message, signature);
}

/** The call of a proxy that moves the money: all of it, or what is charged of the most. */
export function settleCall(
  order: Order,
  charged: string,
): { readonly to: Hex; readonly data: Hex } {
  const { from, to, validAfter, signature, permit } = order;
  const owner = from as Hex;
  const signed = signature as Hex;
  const witness = { to: to as Hex, validAfter: BigInt(validAfter) };
  const { facilitator } = permit;
  if (facilitator === undefined) {
    const args = [permitOf(order), owner, witness, signed] as const;
    const data = encodeFunctionData({ abi: exactProxyAbi, functionName: 'settle', args });
    return { to: proxies.permit2, data };
  }
  const named = { ...witness, facilitator: facilitator as Hex };
  const args = [permitOf(order), BigInt(charged), owner, named, signed] as const;
  const data = encodeFunctionData({ abi: uptoProxyAbi, functionName: 'settle', args });
  return { to: proxies.upto, data };
}

/** The number that a call of a proxy uses up; nothing where it is none. */
export function nonceOfCall(to: string | null | undefined, data: Hex): bigint | undefined {
  try {
    switch (to?.toLowerCase()) {
      case proxies.permit2.toLowerCase():
        return decodeFunctionData({ abi: exactProxyAbi, data }).args[0].nonce;
      case proxies.upto.toLowerCase():
        return decodeFunctionData({ abi: uptoProxyAbi, data }).args[0].nonce;
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}
