import type { Hex, PublicClient } from 'viem';
import type { Authorization, PermitTerms } from './authorization.ts';
import type { ChainFault } from './faults.ts';
import { permit2 } from './permit.ts';
import { allowanceAbi, permit2Abi } from './permit-abi.ts';
import { tokenAbi } from './token-abi.ts';

/** Why a chain does not take an order to Permit2 (x402 v2, verification). */
export async function permitDiagnosis(
  client: PublicClient,
  order: Authorization & { readonly permit: PermitTerms },
  error: unknown,
): Promise<ChainFault> {
  const token = order.permit.token as Hex;
  const payer = order.from as Hex;
  const nonce = BigInt(order.nonce);
  try {
    const addresses = [token, permit2, order.permit.spender as Hex] as const;
    const [tokenCode, ...codes] = await Promise.all(
      addresses.map((address) => client.getCode({ address })),
    );
    if (isEmpty(tokenCode)) return 'asset_not_deployed_contract';
    if (codes.some(isEmpty)) return 'permit2_proxy_not_deployed';
    const [word, balance, allowed] = await Promise.all([
      client.readContract({
        ...{ address: permit2, abi: permit2Abi, functionName: 'nonceBitmap' },
        args: [payer, nonce >> 8n],
      }),
      client.readContract({
        ...{ address: token, abi: tokenAbi, functionName: 'balanceOf' },
        args: [payer],
      }),
      client.readContract({
        ...{ address: token, abi: allowanceAbi, functionName: 'allowance' },
        args: [payer, permit2],
      }),
    ]);
    if (((word >> (nonce & 255n)) & 1n) === 1n) return 'permit2_invalid_nonce';
    if (balance < BigInt(order.value)) return 'permit2_insufficient_balance';
    if (allowed < BigInt(order.value)) return 'permit2_allowance_required';
  } catch {
    return 'unexpected_verify_error';
  }
  return /revert/i.test(String(error)) ? 'permit2_simulation_failed' : 'unexpected_verify_error';
}

function isEmpty(code: Hex | undefined): boolean {
  return code === undefined || code === '0x';
}
