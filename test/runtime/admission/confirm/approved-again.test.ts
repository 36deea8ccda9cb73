import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { start, stop } from '../../../../runtime/commands/service-life.ts';
import { createService } from '../../../../runtime/main.ts';
import { temporaryDirectory } from '../../store/temporary-directory.ts';
import { ask, can, openPage, press, type Result } from './confirm-server.ts';

// The same call after one that was approved and failed, with a vendor that does what it is asked
// even where it answers otherwise, and does nothing twice for one key (Stripe, idempotent requests).

const call = {
  name: 'stripe_refunds_create',
  arguments: { payment_intent: 'pi_NinaHolt0001', amount: 1000 },
};
const yes = { approval: { action: 'accept', content: { approve: true } } };

/** Pays refunds; answers with an error for as long as it is `ill`. */
async function startVendor(t: TestContext) {
  const vendor = { ill: true, paid: [] as string[], url: '' };
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    if (!vendor.paid.includes(key)) vendor.paid.push(key);
    const error = { error: { message: 'Our database fell over \u3164```', type: 'api_error' } };
    const refund = { id: 're_1', object: 'refund', amount: 1000, status: 'succeeded' };
    response.writeHead(vendor.ill ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(vendor.ill ? error : refund));
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => server.close());
  return vendor;
}

async function serve(t: TestContext) {
  const vendor = await startVendor(t);
  const service = await createService({
    SERVICE_PROVIDER: 'stripe',
    SERVICE_PROVIDER_STRIPE_URL: vendor.url,
    SERVICE_STRIPE_API_KEY: 'key-of-stripe',
    SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
    SERVICE_TOOL_MODE: 'direct',
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_DATA_DIR: `${temporaryDirectory(t)}/data`,
  });
  let address = '';
  await start(service, undefined, async () => {
    address = await service.http.listen({ host: '127.0.0.1', port: 0 });
  });
  t.after(() => stop(service, undefined));
  return { url: new URL('/mcp', address), vendor };
}

function messageOf({ inputRequests }: Result): string {
  return String(inputRequests?.['approval']?.params['message']);
}

/** Ask in a form, and approve; gives what was asked and what came of it. */
async function approve(url: URL, args: object = call.arguments) {
  const params = { ...call, arguments: args };
  const asked = await ask(url, can.forms, params);
  const { requestState } = asked;
  const result = await ask(url, can.forms, { ...params, inputResponses: yes, requestState });
  return { message: messageOf(asked), result };
}

test('a refund that is approved again after an error is paid once, and the question says so', async (t) => {
  const { url, vendor } = await serve(t);
  const first = await approve(url);
  assert.doesNotMatch(first.message, /ATTENTION/);
  assert.equal(first.result.structuredContent?.error?.code, 'upstream_error');
  const page = await ask(url, can.nothing, call);
  const shown = await openPage(page.structuredContent?.error?.approval_url ?? assert.fail());
  assert.match(
    shown.text,
    /very same call was approved before\.<.*It began at \d{4}-\d\d-\d\dT[\d:.]+Z and failed.*Our database fell over ‹U\+3164›/s,
  );
  vendor.ill = false;
  const { message, result } = await approve(url);
  assert.match(
    message,
    /ATTENTION: the very same call ran before\. It began at \d{4}-\d\d-\d\dT[\d:.]+Z and failed: ".*Our database fell over ‹U\+3164›‹3 backticks›/,
  );
  assert.equal(result.isError, undefined);
  assert.equal(vendor.paid.length, 1, 'one key, and so one refund');
});

test('the approval of the page after an error pays once as well', async (t) => {
  const { url, vendor } = await serve(t);
  const address = async () =>
    (await ask(url, can.nothing, call)).structuredContent?.error?.approval_url ?? assert.fail();
  await press(await address(), 'approved');
  assert.equal((await ask(url, can.nothing, call)).isError, true);
  vendor.ill = false;
  await press(await address(), 'approved');
  assert.equal((await ask(url, can.nothing, call)).isError, undefined);
  assert.equal(vendor.paid.length, 1);
});

test('what was done, and what is another call, has a key of its own', async (t) => {
  const { url, vendor } = await serve(t);
  await approve(url);
  await approve(url, { ...call.arguments, amount: 999 });
  assert.equal(vendor.paid.length, 2, 'other arguments are another refund');
  vendor.ill = false;
  await approve(url);
  const { message } = await approve(url);
  assert.match(message, /was done: it began at .*This does it once more/);
  assert.equal(vendor.paid.length, 3, 'what a person approves after it was done is done again');
});

test('of two questions about the same call at once, the later approval is asked about again', async (t) => {
  const { url, vendor } = await serve(t);
  vendor.ill = false;
  const [one, two] = await Promise.all([ask(url, can.forms, call), ask(url, can.forms, call)]);
  const answer = ({ requestState }: Result) =>
    ask(url, can.forms, { ...call, inputResponses: yes, requestState });
  assert.equal((await answer(one)).isError, undefined);
  const again = await answer(two);
  assert.match(messageOf(again), /ATTENTION: the very same call ran before, and was done/);
  assert.equal(vendor.paid.length, 1);
  assert.equal((await answer(again)).isError, undefined);
  assert.equal(vendor.paid.length, 2);
});

test('the same call, approved many times at once while it fails, is paid once', async (t) => {
  const { url, vendor } = await serve(t);
  await Promise.all(Array.from({ length: 8 }, () => approve(url)));
  vendor.ill = false;
  await approve(url);
  assert.equal(vendor.paid.length, 1);
});
