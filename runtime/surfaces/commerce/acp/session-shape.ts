import type { JsonObject } from '#contract/json';
import type { CheckoutUseRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { Line } from '../checkout/lines.ts';
import { isGone, type SeenSession } from '../checkout/seen-session.ts';
import type { Offer } from '../offers/offer.ts';

/** The address of a path of this server. */
type Address = (path: string) => string;

/** The statuses of ACP for those of a session; one that is open depends on whether it can be paid. */
const statuses = {
  paying: 'complete_in_progress',
  completed: 'completed',
  canceled: 'canceled',
  expired: 'expired',
} as const;

/** A session as clients of ACP read it (2026-04-17, CheckoutSession). */
export function acpSession(
  session: SeenSession,
  offer: Offer | undefined,
  url: Address,
): JsonObject {
  const { row, lines, total, status } = session;
  const canBePaid = status === 'open' && offer !== undefined;
  const whenOpen = canBePaid ? 'ready_for_payment' : 'not_ready_for_payment';
  return {
    id: row.id,
    protocol: { version: '2026-04-17' },
    capabilities: {
      payment: { handlers: canBePaid ? handlersOf(offer, url) : [] },
      interventions: { supported: [], required: [], enforcement: 'conditional' },
    },
    status: status === 'open' ? whenOpen : statuses[status],
    currency: 'usd',
    line_items: lines.map(lineItem),
    totals: totalsOf(total),
    fulfillment_options: [{ ...delivery, totals: [] }],
    messages: messagesOf(session, offer),
    links: [{ type: 'support', url: url('/llms.txt') }],
    created_at: timeOf(row.created_at),
    updated_at: timeOf(row.changed_at),
    expires_at: timeOf(row.expires_at),
    ...(status === 'completed' && { order: orderStub(session, url) }),
  };
}

const delivery = {
  type: 'digital',
  id: 'uses',
  title: 'Uses of tools',
  description: 'Each call of the tool takes one, with the name with which it was bought',
} as const;

function lineItem({ id, tool, title, unit, quantity }: Line): JsonObject {
  return {
    ...{ id, item: { id: tool, name: title, unit_amount: unit }, quantity, name: title },
    unit_amount: unit,
    totals: totalsOf(unit * quantity),
  };
}

function totalsOf(amount: number): JsonObject[] {
  return [
    { type: 'items_base_amount', display_text: 'Items', amount },
    { type: 'subtotal', display_text: 'Subtotal', amount },
    { type: 'total', display_text: 'Total', amount },
  ];
}

function messagesOf({ status, fault }: SeenSession, offer: Offer | undefined): JsonObject[] {
  const plain = { content_type: 'plain' } as const;
  if (status === 'paying') {
    const content = 'The payment was sent and is not confirmed yet: look again, do not pay again.';
    return [{ type: 'info', ...plain, content }];
  }
  if (status === 'canceled') {
    const content = 'The session was given up; what was paid, if anything, has gone back.';
    return [{ type: 'info', ...plain, content }];
  }
  if (status !== 'open') return [];
  const cannot = 'Nothing that is set up here takes this sum: put more or less into it.';
  return [
    ...(offer === undefined
      ? [
          {
            type: 'error',
            code: 'minimum_not_met',
            param: '$.line_items',
            ...plain,
            content: cannot,
          },
        ]
      : []),
    ...(fault === ''
      ? []
      : [
          {
            ...{ type: 'error', code: 'payment_declined', resolution: 'recoverable' },
            ...{ param: '$.payment_data', ...plain, content: `The payment was refused: ${fault}.` },
          },
        ]),
  ];
}

/** With what it can be paid (ACP, payment handlers). */
function handlersOf({ card, x402 }: Offer, url: Address): JsonObject[] {
  const tokenized = 'https://acp.dev/handlers/tokenized.card';
  const schemas = 'https://acp.dev/schemas/handlers/tokenized.card';
  const spec = 'https://www.x402.org';
  return [
    ...(card
      ? [
          {
            ...{ id: 'card', name: 'dev.acp.tokenized.card', version: '2026-01-22' },
            ...{ spec: tokenized, requires_delegate_payment: true, requires_pci_compliance: false },
            ...{ psp: 'stripe', config_schema: `${schemas}/config.json` },
            instrument_schemas: [`${schemas}/instrument.json`],
            config: { merchant_id: card.methodDetails.networkId, psp: 'stripe' },
          },
        ]
      : []),
    ...(x402
      ? [
          {
            ...{ id: 'x402', name: 'org.x402.exact', version: '2025-12-09', spec },
            ...{ requires_delegate_payment: false, requires_pci_compliance: false, psp: 'x402' },
            ...{ config_schema: url('/openapi.json'), instrument_schemas: [] },
            config: { x402Version: 2, accepts: [{ ...x402 }] },
          },
        ]
      : []),
  ];
}

function orderStub({ row }: SeenSession, url: Address): JsonObject {
  return {
    ...{ type: 'order', id: orderId(row.id), checkout_session_id: row.id },
    permalink_url: url(`/checkout/orders/${orderId(row.id)}`),
  };
}

/** The name of the order of a session. */
export function orderId(session: string): string {
  return session.replace(/^cs_/, 'ord_');
}

/** The opposite of `orderId`. */
export function sessionOf(order: string): string {
  return order.replace(/^ord_/, 'cs_');
}

/** All of an order (ACP 2026-04-17, Order). */
export function acpOrder(
  session: SeenSession,
  uses: readonly CheckoutUseRow[],
  url: Address,
): JsonObject {
  const { row, lines, total, payment } = session;
  const gone = isGone(payment);
  const items = lines.map(({ id, tool, title, unit, quantity }) => {
    const used = uses.find((use) => use.tool === tool)?.used ?? 0;
    const left = Math.max(0, quantity - used);
    return {
      ...{ id, title, product_id: tool, unit_price: unit, subtotal: unit * quantity },
      quantity: { ordered: quantity, current: gone ? 0 : quantity, fulfilled: gone ? 0 : quantity },
      status: gone ? 'removed' : 'fulfilled',
      description: gone ? 'None is left' : `${left} of ${quantity} are left`,
    };
  });
  return {
    ...orderStub(session, url),
    status: gone ? 'canceled' : 'completed',
    line_items: items,
    fulfillments: [{ id: 'ful_1', type: 'digital', status: gone ? 'failed' : 'delivered' }],
    adjustments:
      gone && payment
        ? [
            {
              ...{ id: 'adj_1', type: payment.state === 'disputed' ? 'dispute' : 'refund' },
              occurred_at: timeOf(payment.changed_at),
              status: payment.state === 'refund_due' ? 'pending' : 'completed',
              ...{ amount: total, currency: 'usd' },
            },
          ]
        : [],
    totals: [
      ...totalsOf(total),
      ...(gone ? [{ type: 'amount_refunded', display_text: 'Refunded', amount: total }] : []),
    ],
    ...(row.payment && { confirmation: { confirmation_number: row.payment } }),
  };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
