import { openShop } from '../../payments/shop.ts';
import type { Row } from '../row.ts';
import { admissionRow } from './admission-row.ts';
import { challengeRow } from './challenge-row.ts';
import { copiesRow, distinctRows } from './crowd-rows.ts';
import { payerRow } from './payer-row.ts';
import { settlementRow } from './settlement-row.ts';

const policy = `prices:
  tool:service_status: { amount: '0.0001', currency: USD }
`;

/** Payments on a chain of this machine, whose programs stand in PAYMENT_CLIENTS. */
export async function paymentsBench(): Promise<Row[]> {
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void ends.push(end) };
  try {
    const rows = [await admissionRow(), await payerRow()];
    const shop = await openShop(t as never, { policy });
    rows.push(await challengeRow(shop), await copiesRow(shop), ...(await distinctRows(shop)));
    rows.push(await settlementRow());
    return rows;
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
