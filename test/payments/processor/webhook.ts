import { createHmac } from 'node:crypto';

/** How something is told; what is left out is as it should be. */
export interface Told {
  readonly secret?: string;
  /** Seconds since the epoch. */
  readonly at?: number;
  /** Instead of what is signed. */
  readonly sent?: string;
  readonly header?: string;
}

export const webhookSecret = 'whsec_only_for_tests';

/** Tell a server something as the processor does: signed over the bytes that are sent (scheme v1). */
export function tell(base: string, event: object, told: Told = {}): Promise<Response> {
  const { secret = webhookSecret, at = Math.floor(Date.now() / 1000) } = told;
  // As it is written there: with spaces that JSON has no use for.
  const body = JSON.stringify(event, null, 2);
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  const header = told.header ?? `t=${at},v1=${signature},v0=${'0'.repeat(64)}`;
  return fetch(`${base}/payments/card/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(header !== '' && { 'stripe-signature': header }),
    },
    body: told.sent ?? body,
  });
}
