import { ServiceError } from '#contract/errors';
import { checkLedger, type Holding, type LedgerReport } from '../ledger/check-ledger.ts';
import { evidenceMs, looksAtOnce } from '../numbers.ts';
import { decimalAmount } from './decimal-amount.ts';
import type { OperatorParts } from './operator-parts.ts';
import { timeOf } from './usage.ts';

/**
 * Find out what became of payments that are open, and hold the ledger against the payments and
 * against where the money is.
 *
 * @throws ServiceError 500 with what differs
 */
export async function checkPayments(
  parts: OperatorParts,
  tenant: string,
  options: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  await parts.reconcile();
  const evidenceFromMs = timeOf('from', options['from']) ?? parts.now() - evidenceMs;
  const report = await checkLedger(tenant, { ...parts, evidenceFromMs, atOnce: looksAtOnce });
  const lines = [...summaryOf(report), ...(await Promise.all(report.holdings.map(heldBy(parts))))];
  if (report.problems.length === 0) return [...lines, 'everything agrees'].join('\n');
  const told = [...lines, ...report.problems].join('\n');
  throw new ServiceError('ledger_differs', 500, `the ledger differs\n${told}`);
}

function summaryOf({ payments, entries, confirmed, unknown }: LedgerReport): readonly string[] {
  return [
    `${payments} payments, ${entries} entries in the ledger`,
    `${confirmed} movements found where the money is${unknown > 0 ? `, ${unknown} that cannot be looked up` : ''}`,
  ];
}

/** Money that the operator has taken away meanwhile is in no ledger: less than it says is no mistake. */
function heldBy({ unitOf, fundsOf }: OperatorParts) {
  return async (holding: Holding): Promise<string> => {
    const { symbol, decimals } = unitOf(holding);
    const funds = await fundsOf(holding);
    const there = funds === undefined ? '' : `, ${decimalAmount(funds, decimals)} is there now`;
    return `${holding.payTo} on ${holding.network}: ${decimalAmount(holding.amount, decimals)} ${symbol} has come and not gone back${there}`;
  };
}
