import { randomUUID } from 'node:crypto';
import { type Books, type Intent, type MeterEvent, type Refund, Refused } from './books.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Call extends Asked {
  readonly version: string;
  readonly id: string;
}

type Handler = (books: Books, call: Call) => object;

/** The part of the API that is spoken here. */
export const routes: readonly (readonly [string, RegExp, Handler])[] = [
  ['POST', /^\/v1\/payment_intents$/, createIntent],
  ['GET', /^\/v1\/payment_intents$/, listIntents],
  ['GET', /^\/v1\/payment_intents\/(\w+)$/, ({ intents }, { id }) => found(intents, id)],
  ['POST', /^\/v1\/payment_intents\/(\w+)\/cancel$/, cancelIntent],
  ['POST', /^\/v1\/refunds$/, createRefund],
  ['GET', /^\/v1\/balance$/, () => ({ object: 'balance', available: [], pending: [] })],
  ['GET', /^\/v1\/refunds\/(\w+)$/, ({ refunds }, { id }) => found(refunds, id)],
  ['GET', /^\/v1\/disputes\/(\w+)$/, ({ disputes }, { id }) => found(disputes, id)],
  ['GET', /^\/v1\/refunds$/, ({ refunds }, call) => ofIntent(refunds, call)],
  ['POST', /^\/v1\/billing\/meter_events$/, createMeterEvent],
  ['GET', /^\/v1\/events$/, listEvents],
  ['GET', /^\/v1\/disputes$/, ({ disputes }, call) => ofIntent(disputes, call)],
];

function found<Thing>(things: Readonly<Record<string, Thing>>, id: string): Thing & object {
  const thing = things[id];
  if (thing) return thing;
  throw new Refused(404, 'invalid_request_error', { code: 'resource_missing', param: 'id' });
}

function idOf(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

function createIntent(books: Books, { input, version }: Call): Intent {
  const wrong = (param: string, code: string) =>
    new Refused(400, 'invalid_request_error', { code, param });
  const { amount, currency, shared_payment_granted_token: spt, metadata } = input;
  const param = 'shared_payment_granted_token';
  if (spt !== undefined && !version.endsWith('.preview')) throw wrong(param, 'parameter_unknown');
  if (!/^[1-9]\d{0,7}$/.test(String(amount))) throw wrong('amount', 'parameter_invalid_integer');
  if (input['confirm'] !== 'true') throw wrong('confirm', 'parameter_missing');
  const token = books.tokens[String(spt)];
  if (token === undefined) throw wrong(param, 'resource_missing');
  if (token.isUsed || token.isExpired) throw wrong(param, 'shared_payment_token_inactive');
  if (token.currency !== currency) throw wrong('currency', 'shared_payment_token_currency');
  if (Number(amount) > token.most) throw wrong('amount', 'shared_payment_token_limit');
  const { ends } = token;
  const isStatus = ends === 'succeeded' || ends === 'processing' || ends === 'requires_action';
  const intent: Intent = {
    ...{ id: idOf('pi'), object: 'payment_intent', amount: Number(amount), ends },
    ...{ currency: String(currency), created: Math.floor(Date.now() / 1000) },
    metadata: (metadata ?? {}) as Record<string, string>,
    status: isStatus ? (ends as Intent['status']) : 'requires_payment_method',
    latest_charge: idOf('ch'),
  };
  books.intents[intent.id] = intent;
  if (!isStatus) {
    const declined = { code: 'card_declined', decline_code: ends, payment_intent: intent };
    throw new Refused(402, 'card_error', declined);
  }
  token.isUsed = true;
  return intent;
}

function listIntents({ intents }: Books, { input }: Call): object {
  const { gte, lte } = (input['created'] ?? {}) as Record<string, string>;
  const all = Object.values(intents)
    .filter(({ created }) => created >= Number(gte) && created <= Number(lte))
    .reverse();
  const after = all.findIndex(({ id }) => id === input['starting_after']) + 1;
  const limit = Number(input['limit'] ?? 10);
  const data = all.slice(after, after + limit);
  return { object: 'list', data, has_more: after + limit < all.length, url: '/v1/payment_intents' };
}

function listEvents({ events }: Books, { input, path }: Call): object {
  const { gte } = (input['created'] ?? {}) as Record<string, string>;
  const types = (input['types'] ?? []) as readonly string[];
  const data = events.filter(({ type, created }) => created >= Number(gte) && types.includes(type));
  return { object: 'list', data: data.toReversed(), has_more: false, url: path };
}

function cancelIntent({ intents }: Books, { id }: Call): Intent {
  const intent = found(intents, id);
  if (intent.status === 'succeeded' || intent.status === 'processing') {
    throw new Refused(400, 'invalid_request_error', { code: 'payment_intent_unexpected_state' });
  }
  intent.status = 'canceled';
  return intent;
}

function createRefund(books: Books, { input }: Call): Refund {
  const intent = found(books.intents, String(input['payment_intent']));
  const wrong = (code: string) => new Refused(400, 'invalid_request_error', { code });
  const isDisputed = Object.values(books.disputes).some(
    ({ payment_intent, status }) => payment_intent === intent.id && status !== 'won',
  );
  if (isDisputed) throw wrong('charge_disputed');
  const back = Object.values(books.refunds)
    .filter(({ payment_intent, status }) => payment_intent === intent.id && status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);
  const amount = Number(input['amount'] ?? intent.amount - back);
  if (intent.status !== 'succeeded') throw wrong('payment_intent_unexpected_state');
  if (back + amount > intent.amount) throw wrong('charge_already_refunded');
  const refund: Refund = {
    ...{ id: idOf('re'), object: 'refund', amount, payment_intent: intent.id },
    metadata: (input['metadata'] ?? {}) as Record<string, string>,
    status: books.refundStatus,
  };
  books.refunds[refund.id] = refund;
  return refund;
}

/** It takes nothing that is older than 35 days, and nothing of the same name twice. */
function createMeterEvent({ meters, uses }: Books, { input }: Call): MeterEvent {
  const { event_name, identifier, payload, timestamp } = input;
  const refused = (message: string, code: string) =>
    new Refused(400, 'invalid_request_error', { code, message });
  const [event, id] = [String(event_name), String(identifier)];
  if (!meters.has(event)) throw refused(`No active meter for ${event}`, 'resource_missing');
  const created = Math.floor(Date.now() / 1000);
  const [at, { stripe_customer_id: customer, value } = {}] = [
    Number(timestamp ?? created),
    payload as Record<string, string> | undefined,
  ];
  if (at < created - 3_024_000 || at > created + 300) {
    throw refused('the timestamp is out of range', 'parameter_invalid_integer');
  }
  if (!customer?.startsWith('cus_') || !/^\d+$/.test(value ?? '')) {
    throw refused('the payload names no customer and value', 'parameter_missing');
  }
  if (uses[id]) throw refused(`An event already exists with identifier ${id}.`, 'duplicate');
  const use: MeterEvent = {
    ...{ object: 'billing.meter_event', identifier: id, event_name: event, created },
    ...{ payload: { stripe_customer_id: customer, value: String(value) }, timestamp: at },
    livemode: false,
  };
  uses[id] = use;
  return use;
}

function ofIntent(
  things: Readonly<Record<string, { readonly payment_intent: string }>>,
  { path, input }: Call,
): object {
  const wanted = input['payment_intent'];
  const data = Object.values(things).filter(({ payment_intent }) => payment_intent === wanted);
  return { object: 'list', data: data.reverse(), has_more: false, url: path };
}
