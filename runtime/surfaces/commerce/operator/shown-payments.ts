import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { mostListed } from '../numbers.ts';
import { decimalAmount } from './decimal-amount.ts';
import type { OperatorParts } from './operator-parts.ts';
import { periodOf, usage } from './usage.ts';

const states: Readonly<Record<PaymentRow['state'], true>> = {
  ...{ claimed: true, settling: true, pending: true, executing: true, delivered: true },
  ...{ rejected: true, failed: true, refund_due: true, refunded: true, disputed: true },
};

type Options = Readonly<Record<string, string | undefined>>;

/** One line for each payment, the newest first. */
export async function listedPayments(
  { lists, unitOf }: Pick<OperatorParts, 'lists' | 'unitOf'>,
  tenant: string,
  { state, ...options }: Options,
): Promise<string> {
  if (state !== undefined && !Object.hasOwn(states, state)) {
    const received = JSON.stringify(state.slice(0, 40));
    throw usage(`--state is one of ${Object.keys(states).join(', ')}, not ${received}`);
  }
  const { fromMs, toMs: beforeMs } = periodOf(options);
  const rows = await lists.list(tenant, {
    state: state as PaymentRow['state'] | undefined,
    ...{ fromMs, beforeMs, limit: mostListed + 1 },
  });
  if (rows.length === 0) return 'there are no payments';
  const lines = rows.slice(0, mostListed).map((row) => {
    const { id, created_at, state, rail, operation, subject } = row;
    const columns = [id, timeText(created_at), state.padEnd(10), rail.padEnd(4)];
    return [...columns, amountText(row, unitOf), operation, subject].join('  ');
  });
  const more = rows.length > mostListed ? ['and older ones: --to TIME shows those before'] : [];
  return [...lines, ...more].join('\n');
}

/** All that is known of a payment, with its entries in the ledger. */
export async function shownPayment(
  { lists, unitOf }: Pick<OperatorParts, 'lists' | 'unitOf'>,
  tenant: string,
  id: string,
): Promise<string> {
  const found = await lists.withEntries(tenant, id);
  if (found === undefined) throw noPayment(id);
  const { payment, entries } = found;
  const { decimals } = unitOf(payment);
  const { charged } = payment;
  const told = charged && amountText({ ...payment, amount: charged }, unitOf);
  const facts = Object.entries({
    ...payment,
    ...{ amount: amountText(payment, unitOf), charged: told },
  })
    .filter(([, value]) => value !== '' && value !== null)
    .map(([name, value]) => `${name.padEnd(17)}${shownFact(name, value)}`);
  const moves = entries.map(
    ({ created_at, debit, credit, amount, reference }) =>
      `${timeText(created_at)}  ${debit.padEnd(10)} from ${credit.padEnd(10)} ${decimalAmount(amount, decimals)}  ${reference}`,
  );
  return [...facts, 'ledger', ...(moves.length > 0 ? moves : ['no money has moved'])]
    .map((line) => line.trimEnd())
    .join('\n');
}

/** There is none of this id. */
export function noPayment(id: string) {
  return usage(`there is no payment ${JSON.stringify(id.slice(0, 80))}`);
}

function shownFact(name: string, value: unknown): string {
  const isTime = typeof value === 'number' && /_at$|_before$/.test(name);
  return isTime ? timeText(value) : String(value);
}

function amountText(row: PaymentRow, unitOf: OperatorParts['unitOf']): string {
  const { symbol, decimals } = unitOf(row);
  return `${decimalAmount(row.amount, decimals)} ${symbol}`;
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
