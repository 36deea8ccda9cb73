import assert from 'node:assert/strict';
import test from 'node:test';
import type { SafePath } from '#contract/path';
import { callContext, caller, failureOf, testOutbound, testProvider, testTool } from './harness.ts';
import { sendJson, startUpstream } from './upstream.ts';

const bearer = { type: 'bearer', env: ['T'], required: true } as const;

test('verify asks what the provider names and compares the status', async (t) => {
  const upstream = await startUpstream(t, (response, { url }) =>
    sendJson(response, {}, url === '/v1/me?a=1' ? 200 : 401),
  );
  const check = (verify: object, token = 'token-1') =>
    testOutbound(t, { env: { T: token } }).verify(
      testProvider(`${upstream.url}/v1`, { auth: [bearer], verify: { expect: 200, ...verify } }),
    );
  assert.deepEqual(await check({ method: 'GET', path: '/me?a=1' }), {
    ok: true,
    status: 200,
    message: 'the credential is accepted',
  });
  assert.equal(upstream.seen[0]?.headers.authorization, 'Bearer token-1');
  const refused = await check({ path: '/other' });
  assert.equal(refused.ok, false);
  assert.equal(refused.status, 401);
  const other = await check({ path: '/me?a=1', expect: 204 });
  assert.deepEqual(other, { ok: false, status: 200, message: 'expected status 204, got 200' });
});

test('verify can call a tool, and knows a failure behind a success status', async (t) => {
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, { ok: false, error: 'invalid_auth' }),
  );
  const me = testTool({ request: () => ({ method: 'POST', path: '/auth.test' as SafePath }) });
  const provider = testProvider(upstream.url, {
    auth: [bearer],
    verify: { tool: 'acme_me', expect: 200 },
    errors: { soft: { path: ['ok'], equals: false, message: ['error'] } },
    tools: { acme_me: async () => me },
  });
  const result = await testOutbound(t, { env: { T: 'token-1' } }).verify(provider);
  assert.equal(result.ok, false);
  assert.match(result.message, /invalid_auth/);
  assert.equal(upstream.seen[0]?.url, '/auth.test');
});

test('verify names what is missing without asking the vendor', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const outbound = testOutbound(t);
  const provider = testProvider(upstream.url, {
    auth: [bearer],
    verify: { path: '/', expect: 200 },
  });
  const result = await outbound.verify(provider);
  assert.equal(result.ok, false);
  assert.match(result.message, /set T$/);
  assert.equal(upstream.seen.length, 0);
});

test('verify of a provider that names no call shows whether it can be reached', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}, 404));
  const outbound = testOutbound(t);
  const reached = await outbound.verify(testProvider(upstream.url));
  assert.deepEqual(reached, { ok: true, status: 404, message: 'reachable' });
  const away = await outbound.verify(testProvider('http://127.0.0.1:1', { id: 'away' }));
  assert.equal(away.ok, false);
  assert.match(away.message, /could not be reached/);
});

test('verify reports a configuration that does not work', async (t) => {
  const servers = [
    { id: 'a', url: 'https://{r}.example', variables: { r: { env: 'R' } } },
  ] as const;
  const result = await testOutbound(t).verify(testProvider('', { servers }));
  assert.equal(result.ok, false);
  assert.match(result.message, /needs R to be set/);
});

test('the definition of a tool is the vendor tool itself', (t) => {
  const tool = testTool();
  const bound = testOutbound(t).tool(testProvider('http://127.0.0.1:1'), tool);
  assert.equal(bound.definition, tool);
});

test('a fault in a provider is found on the first call, and on the next one again', async (t) => {
  const servers = [
    { id: 'a', url: 'https://{r}.example', variables: { r: { env: 'R' } } },
  ] as const;
  const { failure } = caller(t, '', { provider: { servers } });
  assert.equal((await failure()).code, 'missing_credential');
  assert.equal((await failure()).code, 'missing_credential');
});

test('close lets running calls finish, then refuses new ones', async (t) => {
  const started = Promise.withResolvers<() => void>();
  const upstream = await startUpstream(t, (response) =>
    started.resolve(() => sendJson(response, { done: true })),
  );
  const outbound = testOutbound(t);
  const tool = outbound.tool(testProvider(upstream.url), testTool());
  const running = tool.call({}, callContext());
  const finish = await started.promise;
  const closed = outbound.close(10_000);
  finish();
  assert.deepEqual((await running).structuredContent, { done: true });
  await closed;
  const other = outbound.tool(testProvider(upstream.url, { id: 'other' }), testTool());
  for (const late of [tool, other]) {
    const error = await failureOf(late.call({}, callContext()));
    assert.equal(error.code, 'upstream_error');
    assert.match(error.message, /this server is stopping/);
  }
  assert.equal(upstream.seen.length, 1);
});

test('close cuts off what has not finished at its deadline', async (t) => {
  const started = Promise.withResolvers<void>();
  const upstream = await startUpstream(t, () => started.resolve());
  const outbound = testOutbound(t);
  const provider = testProvider(upstream.url);
  const running = failureOf(outbound.tool(provider, testTool()).call({}, callContext()));
  await started.promise;
  await outbound.close(1);
  assert.equal((await running).code, 'upstream_error');
});

test('a wrong CIDR, contact or base URL stops the start', (t) => {
  assert.throws(() => testOutbound(t, { allow: ['nonsense'] }), /SERVICE_OUTBOUND_ALLOW/);
  assert.throws(() => testOutbound(t, { contact: 'a\r\nb' }), /SERVICE_CONTACT/);
  const baseUrls = new Map([['acme', 'not a url']]);
  assert.throws(() => testOutbound(t, { baseUrls }), /server address/);
});
