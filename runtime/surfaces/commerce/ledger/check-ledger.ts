import type {
  LedgerTransferRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { mostProblems } from '../numbers.ts';
import { balancesIn, balancesOf, differences } from './balances.ts';
import type { Ledger } from './ledger.ts';
import type { PaymentLists, PaymentWithEntries } from './payment-lists.ts';

/** Says whether what an entry says has moved is what has moved where the money is. */
export type Evidence = (
  entry: LedgerTransferRow,
  payment: PaymentRow,
) => Promise<'there' | 'missing' | 'unknown'>;

/** What of the money is at one address, or at a processor, as the ledger says. */
export interface Holding {
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  amount: bigint;
}

export interface LedgerReport {
  payments: number;
  entries: number;
  /** Entries that were found where the money is, and those of which nobody can say. */
  confirmed: number;
  unknown: number;
  readonly holdings: readonly Holding[];
  /** What is not as it should be, in sentences; at most a hundred. */
  readonly problems: readonly string[];
}

interface CheckParts {
  readonly lists: Pick<PaymentLists, 'pages' | 'withEntries'>;
  readonly ledger: Pick<Ledger, 'ofPayments'>;
  readonly evidence: Evidence;
  /** Older entries than this are summed up and not looked for. */
  readonly evidenceFromMs: number;
  /** Entries that are looked for at a time. */
  readonly atOnce: number;
}

/** Hold the ledger of a tenant against its payments, and against where the money is. */
export async function checkLedger(tenant: string, parts: CheckParts): Promise<LedgerReport> {
  const holdings = new Map<string, Holding>();
  const problems: string[] = [];
  const report = { payments: 0, entries: 0, confirmed: 0, unknown: 0 };
  for await (const page of parts.lists.pages(tenant)) {
    const ids = page.map(({ id }) => id);
    const found = await parts.ledger.ofPayments(tenant, ids);
    const byPayment = Map.groupBy(found, ({ payment }) => payment);
    const all = page.map((payment) => ({ payment, entries: byPayment.get(payment.id) ?? [] }));
    for (const each of all) {
      report.payments += 1;
      report.entries += each.entries.length;
      hold(holdings, each);
      // It may have gone on between the two looks.
      if (problemOf(each) === undefined) continue;
      const now = await parts.lists.withEntries(tenant, each.payment.id);
      const problem = now && problemOf(now);
      if (problem !== undefined) problems.push(problem);
    }
    for await (const { said, state } of evidenceOf(all, parts)) {
      if (state === 'there') report.confirmed += 1;
      if (state === 'unknown') report.unknown += 1;
      if (state === 'missing') problems.push(said);
    }
  }
  return { ...report, holdings: [...holdings.values()], problems: problems.slice(0, mostProblems) };
}

function problemOf({ payment, entries }: PaymentWithEntries): string | undefined {
  const wrong = differences(balancesOf(entries), balancesIn(payment));
  if (wrong.length === 0) return undefined;
  return `payment ${payment.id} is ${payment.state}, and its entries differ in ${wrong.join(', ')}`;
}

async function* evidenceOf(
  all: readonly PaymentWithEntries[],
  { evidence, evidenceFromMs, atOnce }: CheckParts,
) {
  const moved = all.flatMap(({ payment, entries }) =>
    entries
      .filter((entry) => isMoved(entry) && entry.created_at >= evidenceFromMs)
      .map((entry) => ({ payment, entry })),
  );
  for (let at = 0; at < moved.length; at += atOnce) {
    yield* await Promise.all(
      moved.slice(at, at + atOnce).map(async ({ payment, entry }) => {
        const way = entry.debit === 'funds' ? 'came' : 'went back';
        const said = `${entry.amount} of payment ${payment.id} ${way} with ${entry.reference || 'nothing'}, of which there is no trace where the money is`;
        return { said, state: await evidence(entry, payment) };
      }),
    );
  }
}

function isMoved({ debit, credit }: LedgerTransferRow): boolean {
  return debit === 'funds' || credit === 'funds';
}

function hold(holdings: Map<string, Holding>, { payment, entries }: PaymentWithEntries): void {
  if (entries.length === 0) return;
  const { network, asset, pay_to: payTo } = payment;
  const key = [network, asset, payTo].join('/').toLowerCase();
  const holding = holdings.get(key) ?? { network, asset, payTo, amount: 0n };
  holding.amount += balancesOf(entries).funds;
  holdings.set(key, holding);
}
