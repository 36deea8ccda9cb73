import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type {
  CheckoutSessionRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import type { IsLeft } from './left.ts';
import { type Line, totalOf } from './lines.ts';

/** Where a session stands for whoever asks; what became of its payment decides. */
export type SessionStatus = 'open' | 'paying' | 'completed' | 'canceled' | 'expired';

/** A session as it is told of. */
export interface SeenSession {
  readonly row: CheckoutSessionRow;
  readonly lines: readonly Line[];
  /** In cents of the dollar. */
  readonly total: number;
  readonly status: SessionStatus;
  /** Why the last attempt to pay was refused; empty where none was. */
  readonly fault: string;
  /** Absent before one was claimed. */
  readonly payment: PaymentRow | undefined;
  /** Whether it is being paid by nobody any more. */
  readonly isLeft: boolean;
}

/** What a payment of the attempt that is due now would be for: SHA-256 in base64url. */
export function digestOf({ tenant, id, attempt, lines }: CheckoutSessionRow): string {
  const asked = canonicalize({ tenant, session: id, attempt, lines }) ?? '';
  return createHash('sha256').update(asked).digest('base64url');
}

/** Look at a session with the payment of its last attempt. */
export function seen(
  row: CheckoutSessionRow,
  payment: PaymentRow | undefined,
  now: number,
  isDead: IsLeft = () => false,
): SeenSession {
  const isLeft = row.state === 'completing' && isDead((payment ?? row).changed_at);
  const lines = JSON.parse(row.lines) as readonly Line[];
  const fault = row.fault === '' ? (payment?.fault ?? '') : row.fault;
  const status = statusOf(row, payment, { now, isLeft });
  return { row, lines, total: totalOf(lines), status, fault, payment, isLeft };
}

const gone: ReadonlySet<PaymentRow['state']> = new Set(['refund_due', 'refunded', 'disputed']);
const refused: ReadonlySet<PaymentRow['state']> = new Set(['rejected', 'failed']);

/** Whether the money of a payment is not here any more. */
export function isGone(payment: PaymentRow | undefined): boolean {
  return payment !== undefined && gone.has(payment.state);
}

function statusOf(
  { state, expires_at: expiresAt }: CheckoutSessionRow,
  payment: PaymentRow | undefined,
  { now, isLeft }: { readonly now: number; readonly isLeft: boolean },
): SessionStatus {
  if (state === 'completed' || state === 'canceled') return state;
  const whenOpen = now >= expiresAt ? 'expired' : 'open';
  if (state === 'open') return whenOpen;
  if (isGone(payment)) return 'canceled';
  // Whoever wanted to pay may have died before the payment was claimed.
  const isFree = payment === undefined ? isLeft : refused.has(payment.state);
  return isFree ? whenOpen : 'paying';
}
