import { Stripe } from 'stripe';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { authorOf } from '#contract/house/audit-events';
import type { House } from '#contract/house/house';
import { isObject } from '#contract/json';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import { webhookToleranceMs } from '../numbers.ts';
import type { CardEvents } from './card-events.ts';

export interface WebhookParts {
  /** With which the processor signs. */
  readonly secret: string;
  readonly cardEvents: CardEvents;
  readonly events: Pick<CommerceEvents, 'cardWebhookRefused'>;
  readonly house: Pick<House, 'now'>;
}

type Reason = 'unsigned' | 'signature' | 'no_event';

/**
 * Hear what the processor tells. It is written down before it is answered, and what is done about it
 * is to ask the processor how things are now.
 *
 * @throws ServiceError 400 where it is not signed, or no event
 */
export async function hearProcessor(
  { secret, cardEvents, events, house }: WebhookParts,
  body: Uint8Array,
  signature: string | undefined,
  context: CallContext,
): Promise<void> {
  const refuse = async (reason: Reason, message: string) => {
    const { caller, callId } = context;
    const facts = { ...authorOf(caller), correlation_id: callId, outcome: 'denied' } as const;
    await events.cardWebhookRefused({ ...facts, payload: { reason } });
    return new ServiceError('invalid_request', 400, message);
  };
  if (signature === undefined) {
    throw await refuse('unsigned', 'the header Stripe-Signature was expected and did not come');
  }
  const event = await verified(body, signature, secret, house.now());
  if (event === 'signature') {
    const message = 'the signature is not that of this body, or not of the last 5 minutes';
    throw await refuse('signature', message);
  }
  if (event === 'no_event') throw await refuse('no_event', 'the body is signed and is no event');
  const intent = intentOf(event);
  // What is about nothing that is sold here is known and done with.
  if (intent === undefined) return;
  const { id, type, created } = event;
  const { tenant } = context.caller;
  await cardEvents.keep({ tenant, id, type, intent, created_at: created * 1000 });
}

/** The client of the processor compares in constant time (Stripe-Signature, scheme v1). */
async function verified(
  body: Uint8Array,
  signature: string,
  secret: string,
  now: number,
): Promise<Stripe.Event | Exclude<Reason, 'unsigned'>> {
  const toleranceSeconds = webhookToleranceMs / 1000;
  try {
    const { webhooks } = Stripe;
    const event: unknown = await webhooks.constructEventAsync(
      ...([Buffer.from(body), signature, secret, toleranceSeconds, undefined, now] as const),
    );
    if (isAhead(signature, now)) return 'signature';
    return isEvent(event) ? event : 'no_event';
  } catch (error) {
    return error instanceof Stripe.errors.StripeSignatureVerificationError
      ? 'signature'
      : 'no_event';
  }
}

/** Its client refuses what is old alone: what is signed for later could be told again until then. */
function isAhead(signature: string, now: number): boolean {
  const times = [...signature.matchAll(/(?:^|,)t=(\d+)/g)].map(([, time]) => Number(time) * 1000);
  return times.some((time) => time > now + webhookToleranceMs);
}

function isEvent(value: unknown): value is Stripe.Event {
  if (!isObject(value) || !isObject(value['data'])) return false;
  const { id, type, created } = value;
  const isNamed = typeof id === 'string' && /^evt_\w{1,200}$/.test(id);
  return isNamed && typeof type === 'string' && Number.isSafeInteger(created);
}

const told = /^(payment_intent|charge|charge\.dispute|charge\.refund|refund)\.[a-z_.]{1,60}$/;

/** The charge that an event is about; nothing where it is about something else. */
export function intentOf({ type, data }: Pick<Stripe.Event, 'type' | 'data'>): string | undefined {
  if (!told.test(type)) return undefined;
  const object: unknown = data.object;
  if (!isObject(object)) return undefined;
  const { object: kind, id, payment_intent: intent } = object;
  const found = kind === 'payment_intent' ? id : intent;
  const name = isObject(found) ? found['id'] : found;
  return typeof name === 'string' && /^pi_\w{1,200}$/.test(name) ? name : undefined;
}
