import type {
  LedgerTransferRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { type Account, ownerOf } from './accounts.ts';
import { chargedOf } from './charged.ts';

/** What the accounts of the ledger hold, in the smallest unit of one asset; debits count as more. */
export type Balances = Readonly<Record<Account, bigint>>;

const empty: Balances = { funds: 0n, unearned: 0n, earned: 0n, refundable: 0n };

/** Sum entries up; whatever they are, the four sums come to nothing together. */
export function balancesOf(
  entries: Iterable<Pick<LedgerTransferRow, 'debit' | 'credit' | 'amount'>>,
): Balances {
  const balances = { ...empty };
  for (const { debit, credit, amount } of entries) {
    balances[debit] += BigInt(amount);
    balances[credit] -= BigInt(amount);
  }
  return balances;
}

/** What the entries of one payment have to come to, in the state that it is in. */
export function balancesIn(
  row: Pick<PaymentRow, 'state' | 'flow' | 'amount' | 'charged'>,
): Balances {
  const owner = ownerOf(row);
  if (owner === undefined) return empty;
  const amount = BigInt(chargedOf(row));
  return { ...empty, funds: amount, [owner]: -amount };
}

/** The accounts that differ. */
export function differences(found: Balances, expected: Balances): readonly Account[] {
  return (Object.keys(empty) as Account[]).filter((name) => found[name] !== expected[name]);
}
