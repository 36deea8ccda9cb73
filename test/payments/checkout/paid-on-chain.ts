import type { Json } from './checkout-shop.ts';

/** The requirements of x402 in a session. */
export function acceptsIn({ ucp }: Json): Json {
  const { payment_handlers: handlers } = ucp as {
    readonly payment_handlers: Record<string, readonly { readonly config: Json }[]>;
  };
  const [handler] = handlers['org.x402.exact'] ?? [];
  const accepts = handler?.config['accepts'] as readonly Json[] | undefined;
  return accepts?.[0] ?? {};
}

export function paidOnChain(token: string): Json {
  const credential = { type: 'x402', token };
  const instrument = { id: 'i1', handler_id: 'x402', type: 'x402', selected: true, credential };
  return { payment: { instruments: [instrument] } };
}
