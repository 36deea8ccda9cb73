import type { Row } from '../row.ts';
import { authorizedRows } from './authorized-rows.ts';
import { claimPageRows } from './claim-page-rows.ts';
import { exchangeRows } from './exchange-rows.ts';
import { registrationRows } from './registration-rows.ts';
import { replicaRows } from './replica-rows.ts';

/** Who calls: tokens, what they cost, how soon they end, and the page on which people agree. */
export async function identityBench(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const measure of [
    exchangeRows,
    authorizedRows,
    replicaRows,
    registrationRows,
    claimPageRows,
  ]) {
    rows.push(...(await measure()));
  }
  return rows;
}
