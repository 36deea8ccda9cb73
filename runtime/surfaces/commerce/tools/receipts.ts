import type { CallContext } from '#contract/caller';
import type { AuditReader } from '#contract/house/audit-events';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type {
  PaymentsReceiptsArguments,
  PaymentsReceiptsResult,
} from '../../../../generated/surfaces/commerce/types.ts';
import type { PaymentLists } from '../ledger/payment-lists.ts';
import { usualReceipts } from '../numbers.ts';

type Receipt = PaymentsReceiptsResult['receipts'][number];

export interface ReceiptParts {
  readonly lists: Pick<PaymentLists, 'list' | 'withEntries'>;
  readonly openLog: () => Promise<Pick<AuditReader, 'origin' | 'vkey' | 'entry' | 'proof'>>;
}

/** What a caller has paid, with what proves it to anybody who has a key of the log. */
export async function receiptsFor(
  { lists, openLog }: ReceiptParts,
  { id, limit = usualReceipts, before }: PaymentsReceiptsArguments,
  { caller: { tenant, subject } }: CallContext,
): Promise<PaymentsReceiptsResult> {
  const rows =
    id === undefined
      ? await lists.list(tenant, {
          subject,
          limit,
          ...(before && { beforeMs: Date.parse(before) }),
        })
      : await ownPayment(lists, { tenant, subject, id });
  const log = rows.some(({ settled_entry: seq }) => seq !== null) ? await openLog() : undefined;
  const receipts: Receipt[] = [];
  for (const row of rows) receipts.push(await receiptOf(row, log));
  return { receipts };
}

/** That of somebody else is answered as what does not exist. */
async function ownPayment(
  lists: ReceiptParts['lists'],
  { tenant, subject, id }: Pick<PaymentRow, 'tenant' | 'subject' | 'id'>,
): Promise<readonly PaymentRow[]> {
  const found = await lists.withEntries(tenant, id);
  return found?.payment.subject === subject ? [found.payment] : [];
}

async function receiptOf(
  row: PaymentRow,
  log: Awaited<ReturnType<ReceiptParts['openLog']>> | undefined,
): Promise<Receipt> {
  const { id, state, operation, rail, network, asset, amount, charged, payer } = row;
  const proof = log && (await proofOf(row, log));
  return {
    ...{ id, state, operation, rail, network, asset, amount, payer },
    ...(charged !== '' && { charged }),
    ...(row.transaction_hash && { transaction: row.transaction_hash }),
    ...(row.refund_hash && { returned: row.refund_hash }),
    claimed_at: new Date(row.created_at).toISOString(),
    ...(proof && { proof }),
  };
}

async function proofOf(
  { settled_entry: seq }: PaymentRow,
  log: Awaited<ReturnType<ReceiptParts['openLog']>>,
): Promise<Receipt['proof']> {
  if (seq === null) return undefined;
  const [record, inclusion] = await Promise.all([log.entry(seq), log.proof(seq)]);
  if (record === undefined || inclusion === undefined) return undefined;
  return { log: log.origin, vkey: log.vkey, entry: record.canonical, inclusion };
}
