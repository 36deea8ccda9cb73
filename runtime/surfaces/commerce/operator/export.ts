import type { LedgerTransferRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { Unit, UnitOf } from '../offers/unit.ts';
import { decimalAmount } from './decimal-amount.ts';

const header = [
  ...['day', 'rail', 'network', 'asset', 'unit', 'agent'],
  ...['payments', 'received', 'returned', 'earned', 'refundable', 'unearned'],
] as const;

interface Sum {
  readonly day: string;
  readonly first: LedgerTransferRow;
  readonly unit: Unit;
  payments: number;
  received: bigint;
  returned: bigint;
  earned: bigint;
  refundable: bigint;
  unearned: bigint;
}

/**
 * The ledger for an accountant, as CSV (RFC 4180): what each agent has paid on each day (UTC) by each
 * rail in each asset. `earned`, `refundable` and `unearned` say by how much that account has changed.
 */
export async function exportedLedger(
  entries: AsyncIterable<LedgerTransferRow>,
  unitOf: UnitOf,
): Promise<string> {
  const sums = new Map<string, Sum>();
  for await (const entry of entries) add(sums, entry, unitOf);
  const lines = [...sums.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sum]) => cells(sum));
  return [header, ...lines].map((each) => each.map(cell).join(',')).join('\r\n');
}

function add(sums: Map<string, Sum>, entry: LedgerTransferRow, unitOf: UnitOf): void {
  const day = new Date(entry.created_at).toISOString().slice(0, 10);
  const { rail, network, asset, subject, debit, credit } = entry;
  const key = JSON.stringify([day, rail, network, asset, subject]);
  const sum = sums.get(key) ?? {
    ...{ day, first: entry, unit: unitOf(entry), payments: 0, received: 0n, returned: 0n },
    ...{ earned: 0n, refundable: 0n, unearned: 0n },
  };
  const amount = BigInt(entry.amount);
  if (debit === 'funds') {
    sum.payments += 1;
    sum.received += amount;
  } else sum[debit] -= amount;
  if (credit === 'funds') sum.returned += amount;
  else sum[credit] += amount;
  sums.set(key, sum);
}

function cells({ day, first, unit, payments, ...amounts }: Sum): readonly string[] {
  const { rail, network, asset, subject } = first;
  const { received, returned, earned, refundable, unearned } = amounts;
  return [
    ...[day, rail, network, asset, unit.symbol, subject, String(payments)],
    ...[received, returned, earned, refundable, unearned].map((amount) =>
      decimalAmount(amount, unit.decimals),
    ),
  ];
}

/** What a table calculation would take for a formula is marked as text, but for numbers below zero. */
function cell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
  const value = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
