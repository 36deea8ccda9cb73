import type { Hex, PublicClient } from 'viem';
import { hasMoved } from './chain-watch.ts';
import { tokenAbi } from './token-abi.ts';

/** A movement of a token that somebody says has happened. */
export interface SaidTransfer {
  readonly asset: string;
  readonly payer: string;
  readonly payTo: string;
  readonly amount: string;
  readonly transaction: string;
}

/** Look a movement up; a node that does not answer, or does not know it any more, is an error. */
export async function isOnChain(client: PublicClient, said: SaidTransfer): Promise<boolean> {
  const receipt = await client
    .getTransactionReceipt({ hash: said.transaction as Hex })
    .catch((error: unknown) => {
      if ((error as Error).name === 'TransactionReceiptNotFoundError') return undefined;
      throw error;
    });
  return receipt?.status === 'success' && hasMoved(said, receipt);
}

/** What an account has of a token, in its smallest unit. */
export function tokensOf(client: PublicClient, asset: string, account: string): Promise<bigint> {
  return client.readContract({
    ...{ address: asset as Hex, abi: tokenAbi, functionName: 'balanceOf' },
    args: [account as Hex],
  });
}
