import type { JsonObject } from '#contract/json';
import { orderId } from '../acp/session-shape.ts';
import type { Line } from '../checkout/lines.ts';
import type { SeenSession } from '../checkout/seen-session.ts';
import type { Offer } from '../offers/offer.ts';
import { checkoutCapability, ucpVersion } from './version.ts';

const statuses = {
  paying: 'complete_in_progress',
  completed: 'completed',
  canceled: 'canceled',
  expired: 'canceled',
} as const;

/**
 * A session as clients of UCP read it (2026-08-25, checkout).
 *
 * @param extensions what is in force for it besides the checkout itself
 */
export function ucpSession(
  session: SeenSession,
  offer: Offer | undefined,
  url: (path: string) => string,
  extensions: readonly string[],
): JsonObject {
  const { row, lines, total, status } = session;
  const names = [checkoutCapability, ...extensions];
  const canBePaid = status === 'open' && offer !== undefined;
  const whenOpen = canBePaid ? 'ready_for_complete' : 'incomplete';
  return {
    ucp: {
      ...{ version: ucpVersion, status: 'success' },
      capabilities: Object.fromEntries(names.map((name) => [name, [{ version: ucpVersion }]])),
      payment_handlers: canBePaid ? handlersOf(offer) : {},
    },
    id: row.id,
    line_items: lines.map(lineItem),
    status: status === 'open' ? whenOpen : statuses[status],
    currency: 'USD',
    totals: totalsOf(total),
    messages: messagesOf(session, offer),
    links: [{ type: 'support', url: url('/llms.txt') }],
    expires_at: new Date(row.expires_at).toISOString(),
    ...(status === 'completed' && {
      order: {
        id: orderId(row.id),
        permalink_url: url(`/checkout/orders/${orderId(row.id)}`),
      },
    }),
  };
}

/** The answer where nothing is sold (UCP 2026-08-25, error response). */
export function ucpFailure(code: string, content: string, path?: string): JsonObject {
  const error = {
    ...{ type: 'error', code, content_type: 'plain', content },
    ...(path !== undefined && { path }),
    severity: 'unrecoverable',
  };
  return { ucp: { version: ucpVersion, status: 'error' }, messages: [error] };
}

function lineItem({ id, tool, title, unit, quantity }: Line): JsonObject {
  return {
    ...{ id, item: { id: tool, title, price: unit }, quantity },
    totals: totalsOf(unit * quantity),
  };
}

function totalsOf(amount: number): JsonObject[] {
  return [
    { type: 'subtotal', amount },
    { type: 'total', amount },
  ];
}

function messagesOf({ status, fault }: SeenSession, offer: Offer | undefined): JsonObject[] {
  const error = (code: string, content: string, path: string) => ({
    ...{ type: 'error', code, content_type: 'plain', content, path },
    severity: 'recoverable',
  });
  if (status === 'paying') {
    const content = 'The payment was sent and is not confirmed yet: look again, do not pay again.';
    return [{ type: 'info', code: 'payment_pending', content_type: 'plain', content }];
  }
  if (status !== 'open') return [];
  const cannot = 'Nothing that is set up here takes this sum: put more or less into it.';
  return [
    ...(offer === undefined ? [error('minimum_not_met', cannot, '$.line_items')] : []),
    ...(fault === ''
      ? []
      : [error('payment_declined', `The payment was refused: ${fault}.`, '$.payment')]),
  ];
}

/** With what it can be paid (UCP 2026-08-25, payment handlers). */
export function handlersOf({ card, x402 }: Pick<Offer, 'card' | 'x402'>): JsonObject {
  return {
    ...(card && {
      'com.stripe.shared_payment_token': [
        {
          ...{ id: 'card', version: '2026-04-17' },
          available_instruments: [{ type: 'card' }],
          config: {
            network_id: card.methodDetails.networkId,
            payment_method_types: card.methodDetails.paymentMethodTypes,
          },
        },
      ],
    }),
    ...(x402 && {
      'org.x402.exact': [
        {
          ...{ id: 'x402', version: '2025-12-09' },
          available_instruments: [{ type: 'x402' }],
          config: { x402Version: 2, accepts: [{ ...x402 }] },
        },
      ],
    }),
  };
}
