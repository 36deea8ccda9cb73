import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test, { after, before, mock } from 'node:test';
import type { Tables } from '../../../../generated/tables.ts';
import { storeWith } from '../../../../runtime/contract/house/store.ts';
import type { Service } from '../../../../runtime/main.ts';
import { mostProcessorBytes } from '../../../../runtime/surfaces/commerce/numbers.ts';
import {
  cardChallenge,
  cardShop,
  payByCard,
  payChallenge,
} from '../../../payments/cards/card-shop.ts';
import { networkId, type Processor, secretKey } from '../../../payments/processor/processor.ts';
import { legacy } from '../../../runtime/mcp/rpc.ts';
import { startWholeServer } from '../../identity/whole-server.ts';

type Json = Readonly<Record<string, unknown>>;

let base: string;
let service: Service;
let processor: Processor;
const ends: (() => unknown)[] = [];
/** How much later it is than it is. */
let aheadMs = 0;

before(async () => {
  const t = { after: (end?: unknown) => void ends.push(end as () => unknown) };
  const real = Date.now;
  mock.method(Date, 'now', () => real() + aheadMs);
  const shop = await cardShop(t);
  processor = shop.processor;
  ({ base, service } = await startWholeServer(t, { ...shop.env, SERVICE_AUTH: 'local' }));
});

after(async () => {
  for (const end of ends.toReversed()) await end();
});

function decoded(text: string | null | undefined): Json {
  return JSON.parse(Buffer.from(text ?? '', 'base64url').toString()) as Json;
}

async function problemOf(answer: Response): Promise<string> {
  const { type } = (await answer.json()) as Json;
  return String(type).replace('https://paymentauth.org/problems/', '');
}

test('a token pays for a route, which answers with a receipt (draft-stripe-charge-00)', async () => {
  const unpaid = await fetch(`${base}/api`);
  assert.equal(unpaid.status, 402);
  const challenge = cardChallenge(unpaid.headers);
  assert.deepEqual(decoded(challenge['request']), {
    ...{ amount: '125', currency: 'usd' },
    methodDetails: { networkId, paymentMethodTypes: ['card', 'link'] },
  });
  const token = processor.mint();
  const paid = await payChallenge(base, '/api', challenge, token);
  assert.equal(paid.status, 200, await paid.clone().text());
  assert.equal(paid.headers.get('cache-control'), 'private');
  const receipt = decoded(paid.headers.get('payment-receipt'));
  const intent = processor.books.intents[String(receipt['reference'])];
  assert.deepEqual(receipt, {
    ...{ status: 'success', method: 'stripe', challengeId: challenge['id'] },
    ...{ reference: intent?.id, timestamp: receipt['timestamp'] },
  });
  assert.deepEqual([intent?.amount, intent?.currency, intent?.status], [125, 'usd', 'succeeded']);
  assert.equal(intent?.metadata['challenge_id'], challenge['id']);
});

test('a token pays for a tool over MCP (draft-payment-transport-mcp-00)', async () => {
  const url = new URL(`${base}/mcp`);
  const params = { name: 'service_status', arguments: {} };
  const required = (await legacy(url, { method: 'tools/call', params })).body.result as Json;
  const told = (required['_meta'] as Json)['org.paymentauth/payment-required'] as Json;
  const [challenge = {}] = told['challenges'] as readonly Json[];
  assert.equal(challenge['method'], 'stripe');
  assert.equal((challenge['request'] as Json)['amount'], '200');
  const credential = { challenge, payload: { spt: processor.mint() } };
  const paid = await legacy(url, {
    method: 'tools/call',
    params: { ...params, _meta: { 'org.paymentauth/credential': credential } },
  });
  const result = paid.body.result as Json;
  assert.notEqual(result['isError'], true, JSON.stringify(result));
  const receipt = (result['_meta'] as Json)['org.paymentauth/receipt'] as Json;
  assert.equal(receipt['method'], 'stripe');
  assert.equal(receipt['challengeId'], challenge['id']);
});

test('one answer asks for x402, MPP and cards where a chain and a processor are set up', async (t) => {
  const { env } = await cardShop(t);
  const { base } = await startWholeServer(t, {
    ...env,
    SERVICE_AUTH: 'local',
    SERVICE_X402_PAY_TO: `0x${'1'.repeat(40)}`,
    SERVICE_X402_FACILITATOR_URL: 'https://facilitator.example',
  });
  const { headers } = await fetch(`${base}/api/v1`);
  assert.ok(headers.get('payment-required'));
  const methods = [...(headers.get('www-authenticate') ?? '').matchAll(/method="(\w+)"/g)];
  assert.deepEqual(
    methods.map(([, method]) => method),
    ['evm', 'stripe'],
  );
});

test('whoever says with what it pays is told of that alone, best first (Accept-Payment)', async (t) => {
  const { env } = await cardShop(
    t,
    "prices:\n  tool:service_status: { amount: '2', currency: USD }\n",
  );
  const { base } = await startWholeServer(t, {
    ...env,
    SERVICE_AUTH: 'local',
    SERVICE_X402_PAY_TO: `0x${'1'.repeat(40)}`,
    SERVICE_X402_FACILITATOR_URL: 'https://facilitator.example',
    SERVICE_CARD_MINIMUM: '0.01',
  });
  const both = ['evm', 'stripe'];
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['stripe/charge, evm/charge;q=0.5', ['stripe', 'evm']],
    ['evm/charge, stripe/charge;q=0.5, */session;q=0', both],
    ['evm/charge', ['evm']],
    ['stripe/*;q=0.1', ['stripe']],
    ['*/charge;q=0.3, evm/charge;q=0', ['stripe']],
    ['evm/charge ; q=0.2 , */*;q=0.1;x=y', both],
    [', evm/charge,', ['evm']],
    // Nothing of it is there, or it says nothing that can be read.
    ['tempo/session, */session', both],
    ['*/*;q=0', both],
    ['', both],
    ['stripe', both],
    ['stripe/charge;q=2', both],
    ['stripe/charge;q=0.1;q=0.9', both],
    ['stripe/charge;q', both],
    [`stripe/charge, ${'a'.repeat(2000)}/charge`, both],
  ];
  for (const [accepts, expected] of cases) {
    const { status, headers } = await fetch(`${base}/api/v1`, {
      headers: { 'accept-payment': accepts },
    });
    assert.equal(status, 402);
    assert.match(headers.get('vary') ?? '', /Accept-Payment/);
    assert.ok(headers.get('payment-required'), 'clients of x402 say nothing so');
    const told = (headers.get('www-authenticate') ?? '').matchAll(/method="(\w+)"/g);
    assert.deepEqual(
      [...told].map(([, method]) => method),
      expected,
      accepts,
    );
    const params = { name: 'service_status', arguments: {} };
    const { body } = await legacy(
      new URL(`${base}/mcp`),
      { method: 'tools/call', params },
      { 'accept-payment': accepts },
    );
    const meta = (body.result as Json)['_meta'] as Json;
    const { challenges } = meta['org.paymentauth/payment-required'] as {
      readonly challenges: readonly Json[];
    };
    const methods = challenges.map(({ method }) => method);
    assert.deepEqual(methods, expected, accepts);
  }
});

test('one challenge is charged once, however often and with whatever tokens it comes', async () => {
  const challenge = cardChallenge((await fetch(`${base}/api`)).headers);
  const before = processor.balance;
  const tokens = Array.from({ length: 4 }, () => processor.mint());
  const shown = [...tokens, ...tokens];
  const answers = await Promise.all(
    shown.map((token) => payChallenge(base, '/api', challenge, token)),
  );
  // Whoever has the token that paid gets the answer again, and nobody else does.
  const winner = answers.findIndex(({ status }) => status === 200) % tokens.length;
  const expected = shown.map((_, at) => (at % tokens.length === winner ? 200 : 409));
  assert.deepEqual(
    answers.map(({ status }) => status),
    expected,
  );
  assert.equal(processor.balance - before, 125);
});

test('what a bank declines is 402 with a new challenge, and the old one pays nothing any more', async () => {
  const before = processor.balance;
  const cases = {
    generic_decline: 'verification-failed',
    stolen_card: 'verification-failed',
    insufficient_funds: 'payment-insufficient',
    authentication_required: 'payment-action-required',
    requires_action: 'payment-action-required',
  };
  for (const [decline, expected] of Object.entries(cases)) {
    const challenge = cardChallenge((await fetch(`${base}/api`)).headers);
    const declined = await payChallenge(base, '/api', challenge, processor.mint(decline));
    assert.equal(declined.status, 402, decline);
    assert.equal(declined.headers.get('payment-receipt'), null);
    const fresh = cardChallenge(declined.headers);
    assert.notEqual(fresh['id'], challenge['id']);
    const text = await declined.clone().text();
    assert.ok(!text.includes('stolen'), 'that a card was stolen is for its bank to say');
    assert.equal(await problemOf(declined), expected, decline);
    const again = await payChallenge(base, '/api', challenge, processor.mint());
    assert.equal(again.status, 402);
    assert.equal(await problemOf(again), 'invalid-challenge');
    const paid = await payChallenge(base, '/api', fresh, processor.mint());
    assert.equal(paid.status, 200, 'the new challenge is good');
  }
  assert.equal(processor.balance - before, 125 * Object.keys(cases).length);
  const open = Object.values(processor.books.intents).filter(
    (each) => each.status === 'requires_action',
  );
  assert.deepEqual(open, [], 'what waits for a person is ended: nobody comes back to it');
});

test('a token that is used, expired, too small or of another currency is refused', async () => {
  const before = processor.balance;
  const used = processor.mint();
  assert.equal((await payByCard(base, '/api', used)).status, 200);
  for (const token of [
    used,
    processor.mint('succeeded', { isExpired: true }),
    processor.mint('succeeded', { most: 124 }),
    processor.mint('succeeded', { currency: 'eur' }),
    'spt_unknown',
  ]) {
    const refused = await payByCard(base, '/api', token);
    assert.equal(refused.status, 402);
    assert.equal(await problemOf(refused), 'verification-failed');
  }
  assert.equal(processor.balance - before, 125);
});

test('a payload without a token, and a challenge for something else, never reach the processor', async () => {
  const challenge = cardChallenge((await fetch(`${base}/api`)).headers);
  const dear = cardChallenge((await fetch(`${base}/api/v1`)).headers);
  const asked = processor.asked.length;
  for (const [path, shown, spt, expected] of [
    ['/api', challenge, undefined, 'invalid-payload'],
    ['/api', challenge, 'tok_1', 'invalid-payload'],
    ['/api', challenge, 'spt_a b', 'invalid-payload'],
    ['/api', challenge, { spt: 1 }, 'invalid-payload'],
    ['/api', dear, 'spt_1', 'invalid-challenge'],
    ['/api/v1', challenge, 'spt_1', 'invalid-challenge'],
    ['/api', { ...challenge, request: dear['request'] }, 'spt_1', 'invalid-challenge'],
    ['/api', { ...challenge, expires: '2999-01-01T00:00:00Z' }, 'spt_1', 'invalid-challenge'],
    ['/api', { ...challenge, method: 'evm' }, 'spt_1', 'invalid-challenge'],
  ] as const) {
    const refused = await payChallenge(base, path, shown, spt);
    assert.equal(refused.status, 402);
    assert.equal(await problemOf(refused), expected);
  }
  assert.equal(processor.asked.length, asked);
});

test('where the processor cannot be reached nothing is charged, and the same payment is good later', async () => {
  const challenge = cardChallenge((await fetch(`${base}/api`)).headers);
  const token = processor.mint();
  await processor.stop();
  const away = await payChallenge(base, '/api', challenge, token);
  assert.equal(away.status, 503);
  assert.equal(((await away.json()) as Json)['code'], 'processor_unavailable');
  assert.ok(away.headers.get('retry-after'));
  await processor.listen();
  const paid = await payChallenge(base, '/api', challenge, token);
  assert.equal(paid.status, 200, await paid.text());
});

test('an answer that is lost is asked for again, and the card is charged once', async () => {
  const before = processor.balance;
  processor.happen('POST /v1/payment_intents', 'done and cut', 'done and cut');
  const paid = await payByCard(base, '/api', processor.mint());
  assert.equal(paid.status, 200, await paid.text());
  assert.equal(processor.balance - before, 125);
});

test('what may have been charged is pending, and is not paid again', async () => {
  const before = processor.balance;
  const challenge = cardChallenge((await fetch(`${base}/api`)).headers);
  const mishaps = Array.from({ length: 9 }, () => 'done and cut' as const);
  processor.happen('POST /v1/payment_intents', ...mishaps);
  const token = processor.mint();
  const lost = await payChallenge(base, '/api', challenge, token);
  processor.happen('POST /v1/payment_intents');
  assert.equal(lost.status, 409);
  assert.equal(((await lost.json()) as Json)['code'], 'settlement_pending');
  const again = await payChallenge(base, '/api', challenge, token);
  assert.equal(again.status, 409);
  assert.equal(processor.balance - before, 125);
});

test('an answer that says nothing of a charge is asked for again, or the charge is pending', async () => {
  for (const mishap of ['done and garbled', 'done and misnamed', 'done and endless'] as const) {
    const before = processor.balance;
    processor.happen('POST /v1/payment_intents', ...Array.from({ length: 3 }, () => mishap));
    const challenge = cardChallenge((await fetch(`${base}/api`)).headers);
    const token = processor.mint();
    const answer = await payChallenge(base, '/api', challenge, token);
    processor.happen('POST /v1/payment_intents');
    assert.equal(answer.status, 409, mishap);
    assert.equal(((await answer.json()) as Json)['code'], 'settlement_pending', mishap);
    assert.equal(processor.balance - before, 125, mishap);
  }
  // Each try reads so much at most, and what is on its way to it.
  assert.ok(processor.endless < 3 * 4 * mostProcessorBytes, String(processor.endless));
});

test('what was paid in time is answered from the record when the challenge is over', async () => {
  const paying = await fetch(`${base}/api`);
  const challenge = cardChallenge(paying.headers);
  const token = processor.mint();
  const paid = await payChallenge(base, '/api', challenge, token);
  assert.equal(paid.status, 200);
  aheadMs += 60_000;
  const unpaid = await fetch(`${base}/api`);
  aheadMs += 3_600_000;
  const before = processor.balance;
  const again = await payChallenge(base, '/api', challenge, token);
  assert.deepEqual([again.status, await again.text()], [200, await paid.text()]);
  const receipts = [paid, again].map(({ headers }) => decoded(headers.get('payment-receipt')));
  assert.equal(receipts[0]?.['reference'], receipts[1]?.['reference']);
  const other = await payChallenge(base, '/api', challenge, processor.mint());
  assert.equal(other.status, 409, 'of another payer nothing is told');
  const late = await payChallenge(base, '/api', cardChallenge(unpaid.headers), processor.mint());
  assert.equal(late.status, 402);
  assert.equal(await problemOf(late), 'payment-expired');
  assert.equal(processor.balance, before);
});

test('a price in yen is charged in yen, by a token for yen alone', async () => {
  const challenge = cardChallenge((await fetch(`${base}/api/v1`)).headers);
  const { amount, currency } = decoded(challenge['request']);
  assert.deepEqual([amount, currency], ['75', 'jpy']);
  const refused = await payByCard(base, '/api/v1', processor.mint());
  assert.equal(refused.status, 402, 'the token is one for dollars');
  const token = processor.mint('succeeded', { currency: 'jpy', most: 75 });
  const paid = await payChallenge(base, '/api/v1', challenge, token);
  assert.equal(paid.status, 200, await paid.text());
  const intent = Object.values(processor.books.intents).at(-1);
  assert.deepEqual([intent?.amount, intent?.currency], [75, 'jpy']);
  const { payment_methods } = (await (await fetch(`${base}/.well-known/payments.json`)).json()) as {
    readonly payment_methods: readonly { readonly type: string; readonly resources: Json[] }[];
  };
  const cards = payment_methods.find(({ type }) => type === 'card')?.resources ?? [];
  const sorted = cards.toSorted((a, b) => String(a['id']).localeCompare(String(b['id'])));
  assert.deepEqual(sorted, [
    { kind: 'http', id: 'GET /api', price: '1.25', currency: 'USD' },
    { kind: 'http', id: 'GET /api/v1', price: '75', currency: 'JPY' },
    { kind: 'mcp_tool', id: 'service_status', price: '2', currency: 'USD' },
  ]);
});

test('what is told of the charge of a card is its own price (draft-payment-discovery-00)', async () => {
  const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, { readonly get: Json }>>;
  };
  const told = paths['/api/v1']?.get['x-payment-info'] as Json;
  const { method, amount, currency, description } = told;
  assert.deepEqual([method, amount, currency], ['stripe', '75', 'jpy']);
  assert.equal(description, '75 JPY');
});

test('errors of the processor: what it has refused is 503, and what it may have done is pending', async () => {
  const before = processor.balance;
  for (const [mishap, status, code] of [
    ['busy', 503, 'processor_unavailable'],
    ['broken', 409, 'settlement_pending'],
  ] as const) {
    processor.happen('POST /v1/payment_intents', mishap, mishap, mishap, mishap);
    const answer = await payByCard(base, '/api', processor.mint());
    processor.happen('POST /v1/payment_intents');
    assert.equal(answer.status, status, mishap);
    assert.equal(((await answer.json()) as Json)['code'], code);
  }
  assert.equal(processor.balance, before);
});

test('a token stands in no entry of the audit log and in no row', async () => {
  const tokens = [processor.mint(), processor.mint('stolen_card')];
  for (const token of tokens) await payByCard(base, '/api', token);
  const log = await service.engines.audit.open();
  const { records } = await log.list({ tenant: 'default', limit: 1000 });
  const entries = JSON.stringify(records);
  const rows = await storeWith<Tables>(service.engines.store)
    .db.selectFrom('payment')
    .selectAll()
    .execute();
  assert.match(entries, /PAYMENT_SETTLED/);
  assert.match(entries, /PAYMENT_FAILED/);
  for (const secret of [...tokens, secretKey]) {
    assert.ok(!entries.includes(secret) && !JSON.stringify(rows).includes(secret));
  }
  const name = createHash('sha256').update(String(tokens[0])).digest('hex');
  assert.ok(entries.includes(name), 'by which it is known again');
});
