import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import test, { type TestContext } from 'node:test';
import { storeWith } from '#contract/house/store';
import type { ObservabilityEvents } from '../../../generated/surfaces/observability/events.ts';
import type { ObservabilityTables } from '../../../generated/surfaces/observability/tables.ts';
import { draftFrom } from '../../../runtime/surfaces/observability/registry/new-draft.ts';
import { createRegistry } from '../../../runtime/surfaces/observability/registry/registry.ts';
import { shownProvider } from '../../../runtime/surfaces/observability/registry/shown.ts';
import { serveObservability } from './observing-server.ts';

type Json = Record<string, unknown>;

const loki = {
  ...{ id: 'logs-a', signalType: 'logs', name: 'Logs', kind: 'loki' },
  endpoint: 'http://127.0.0.1:3100/',
};

async function serve(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const server = await serveObservability(t, env);
  const base = server.address();
  const send = async (method: string, path: string, body?: object, ifMatch?: string) => {
    const reply = await fetch(new URL(path, base), {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const said = text === '' ? {} : (JSON.parse(text) as Json);
    return { status: reply.status, headers: reply.headers, body: said };
  };
  return { ...server, send };
}

const path = '/observability/providers';

test('a back end is registered, changed with its etag and removed, and each change is written down', async (t) => {
  const { send, written, call } = await serve(t);
  const made = await send('POST', path, loki);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal(made.headers.get('location'), `${path}/log/logs-a`);
  const first = made.headers.get('etag') ?? '';
  assert.equal(made.body['endpoint'], 'http://127.0.0.1:3100');
  assert.equal((await send('POST', path, loki)).body['error'], 'conflict');

  const { id: _, signalType: __, ...settings } = loki;
  const changed = await send('PUT', `${path}/logs/logs-a`, { ...settings, order: 7 }, first);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(changed.body['version'], 2);
  // RFC 9110 section 13.1.1: whoever has seen the former version is told of the newer one.
  const stale = await send('PUT', `${path}/log/logs-a`, { ...settings, order: 8 }, first);
  assert.deepEqual([stale.status, stale.body['error']], [409, 'conflict']);
  assert.equal(stale.body['etag'], changed.headers.get('etag'));
  const same = await send('PUT', `${path}/log/logs-a`, { ...settings, order: 7 }, '*');
  assert.equal(same.headers.get('etag'), changed.headers.get('etag'));

  const tool = await call('observability_update_provider', {
    ...{ id: 'logs-a', signalType: 'log', enabled: false },
  });
  const { provider } = tool.structuredContent as { provider: Json };
  assert.deepEqual([provider['enabled'], provider['order']], [false, 7]);
  assert.equal((await send('DELETE', `${path}/log/logs-a`, undefined, first)).status, 409);
  assert.equal((await send('DELETE', `${path}/log/logs-a`)).status, 204);
  const gone = await send('GET', `${path}/log/logs-a`);
  assert.deepEqual([gone.status, gone.body['error']], [404, 'not_found']);

  const [added] = await written('OBSERVABILITY_PROVIDER_ADDED');
  const [second, firstChange] = await written('OBSERVABILITY_PROVIDER_CONFIG_CHANGED');
  const [removed] = await written('OBSERVABILITY_PROVIDER_REMOVED');
  assert.equal(added?.subject, 'log/logs-a');
  assert.deepEqual(firstChange?.payload['change'], { fields: ['order'], delivery: 'collector' });
  assert.deepEqual(second?.payload['change'], { fields: ['enabled'], delivery: 'collector' });
  assert.equal(firstChange?.payload['before'], added?.payload['after']);
  assert.equal(removed?.payload['before'], second?.payload['after']);
  assert.ok(added?.correlation_id);
});

test('what is not written down has not happened', async (t) => {
  const { service } = await serve(t);
  const store = storeWith<ObservabilityTables>(service.engines.store);
  let refuses = true;
  const outcomes: unknown[] = [];
  const append = async ({ outcome }: { outcome?: string }) => {
    if (refuses) throw new Error('the log is full');
    outcomes.push(outcome);
  };
  const events = {
    observabilityProviderAdded: append,
    observabilityProviderConfigChanged: append,
    observabilityProviderRemoved: append,
  } as unknown as ObservabilityEvents;
  const registry = createRegistry({ store, events, now: Date.now });
  const author = { tenant: 'default', actor: { type: 'user', id: 'a' } } as const;
  const change = { author, callId: 'c', ifMatch: undefined };
  const draft = draftFrom('a', 'log', { name: 'A', kind: 'loki', endpoint: 'http://a' });
  const key = { tenant: 'default', signal: 'log', id: 'a' } as const;
  const full = /the log is full/;
  await assert.rejects(registry.register('default', draft, change), full);
  assert.deepEqual((await registry.snapshot('default')).providers, []);
  refuses = false;
  await registry.register('default', draft, change);
  refuses = true;
  await assert.rejects(
    registry.update(key, (each) => ({ ...each, order: 1 }), change),
    full,
  );
  await assert.rejects(registry.remove(key, change), full);
  assert.equal((await registry.find(key)).order, 100);
  assert.deepEqual(outcomes, ['ok']);
});

test('one back end of a signal is the primary, and another takes its place', async (t) => {
  const { send, written } = await serve(t, { SERVICE_OBSERVABILITY_OWN_HOURS: '0' });
  await send('POST', path, { ...loki, primary: true });
  await send('POST', path, { ...loki, id: 'logs-b', primary: true });
  const { body } = await send('GET', path);
  const providers = body['providers'] as Json[];
  assert.deepEqual(
    providers.map(({ id, primary, version }) => [id, primary, version]),
    [
      ['logs-a', false, 2],
      ['logs-b', true, 1],
    ],
  );
  assert.equal((await written('OBSERVABILITY_PROVIDER_CONFIG_CHANGED')).length, 1);
});

test('what cannot be meant is refused with every reason, and nothing is kept', async (t) => {
  const { send } = await serve(t);
  for (const [said, field, reason] of [
    [{ kind: 'lokki' }, 'kind', /did you mean loki/],
    [{ kind: 'jaeger' }, 'kind', /jaeger takes trace, but the signal is log/],
    [{ endpoint: 'http://169.254.169.254:80' }, 'endpoint', /nothing may lead to/],
    [{ endpoint: 'http://10.0.0.1' }, 'endpoint', /SERVICE_OBSERVABILITY_ENDPOINT_ALLOW/],
    [{ endpoint: 'http://u:p@127.0.0.1' }, 'endpoint', /user name or password/],
    [{ pushUrl: 'ftp://127.0.0.1' }, 'pushUrl', /scheme/],
    [{ auth: { type: 'bearer' } }, 'auth', /either env or secretRef/],
    [{ auth: { type: 'bearer', env: 'AWS_SECRET' } }, 'auth.env', /must begin with OBS_/],
    [{ auth: { type: 'bearer', secretRef: 'x' } }, 'auth.secretRef', /no folder of secrets/],
    [{ auth: { type: 'header', env: 'OBS_X', header: 'Host' } }, 'auth.header', /must be one of/],
    [{ auth: { type: 'none', env: 'OBS_X' } }, 'auth', /the type is none/],
    [{ delivery: 'direct_push' }, 'justification', /past the collector/],
    [{ tls: { insecureSkipVerify: true } }, 'justification', /unchecked only/],
    [{ tls: { certFile: '/c' } }, 'tls', /go together/],
    [{ spanFilter: 'gen_ai_or_service' }, 'spanFilter', /is for traces/],
    // What WHATWG URL repairs, and others take for something else.
    [{ endpoint: 'http://127.0.0.1:3100/\r\nX-A: b' }, 'endpoint', /control characters/],
    [{ endpoint: ' http://127.0.0.1:3100' }, 'endpoint', /blanks/],
    [{ endpoint: 'http://127.0.0.1:31\t00' }, 'endpoint', /blanks/],
    [{ endpoint: 'http:127.0.0.1:3100/w' }, 'endpoint', /no absolute URL/],
    [{ otlpEndpoint: 'http://127.0.0.1:3100\\@10.0.0.1' }, 'otlpEndpoint', /backslashes/],
    [{ pushUrl: 'http://127.0.0.1:0/push' }, 'pushUrl', /port 0/],
    [{ id: 'this-server' }, 'id', /keeps itself/],
    [{ delivery: 'direct_push', justification: ' '.repeat(60) }, 'justification', /40 characters/],
  ] as const) {
    const { status, body } = await send('POST', path, { ...loki, ...said });
    assert.deepEqual([status, body['error']], [422, 'validation_failed'], JSON.stringify(said));
    const details = body['details'] as { field: string; reason: string }[];
    assert.deepEqual(
      details.map((each) => each.field),
      [field],
    );
    assert.match(details[0]?.reason ?? '', reason);
    assert.match(String(body['correlation_id']), /^[0-9a-f-]{36}$/);
  }
  for (const said of [
    { id: 'A' },
    { name: 'a\nb' },
    { order: -1 },
    { auth: { type: 'x' } },
    { secret: 1 },
  ]) {
    const { status, body } = await send('POST', path, { ...loki, ...said });
    assert.deepEqual([status, body['error']], [400, 'invalid_request'], JSON.stringify(said));
  }
  const direct = { delivery: 'direct_push', justification: 'x'.repeat(40) };
  assert.equal((await send('POST', path, { ...loki, ...direct })).status, 201);
  assert.equal((await send('GET', `${path}/nothing/a`)).status, 400);
  assert.deepEqual(
    (await send('POST', path, { ...loki, name: 'x'.repeat(40_000) })).body['error'],
    'payload_too_large',
  );
});

test('addresses are kept in their usual spelling (RFC 3986 section 6.2.2)', async (t) => {
  const { send } = await serve(t);
  const { status, body } = await send('POST', path, {
    ...{ ...loki, endpoint: 'HTTP://LocalHost:80/a/../b c/'.replace(' ', '%20') },
    otlpEndpoint: 'http://0177.0.0.1:9500//',
    pushUrl: 'http://127.0.0.1:3100/\u00e9{x}/',
  });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(
    [body['endpoint'], body['otlpEndpoint'], body['pushUrl']],
    ['http://localhost/b%20c', 'http://127.0.0.1:9500', 'http://127.0.0.1:3100/%C3%A9%7Bx%7D/'],
  );
});

test('who may not change a back end does not see where it is', () => {
  const draft = draftFrom('a', 'log', {
    ...{ name: 'A', kind: 'loki', endpoint: 'http://a', otlpEndpoint: 'http://b' },
    ...{ auth: { type: 'bearer', env: 'OBS_X' }, tenantId: 't', pushUrl: 'http://c' },
  });
  const life = { tenant: 'default', version: 1, createdAt: 0, createdBy: 'a', updatedAt: 0 };
  const shown = shownProvider(
    { ...draft, ...life, updatedBy: 'a', etag: '"1"' },
    { scopes: new Set(['observability:read']) },
  );
  assert.doesNotMatch(JSON.stringify(shown), /http|OBS_X|tenant/);
});

test('without a token nobody is told anything where tokens are wanted', async (t) => {
  const { send } = await serve(t, { SERVICE_AUTH: 'required' });
  for (const [method, at] of [
    ['GET', path],
    ['POST', path],
    ['GET', '/observability/health'],
    ['POST', '/observability/collector/apply'],
  ] as const) {
    const { status, headers, body } = await send(method, at, method === 'POST' ? {} : undefined);
    assert.deepEqual([status, body['error']], [401, 'unauthorized'], `${method} ${at}`);
    assert.match(headers.get('www-authenticate') ?? '', /resource_metadata=/);
  }
});

test('three failures take a back end down, one success brings it back, and nothing of it is repeated', async (t) => {
  let answer = { status: 500, body: 'password=hunter2' };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
    const isQuery = request.url !== '/ready';
    const { status, body } = isQuery ? { status: 401, body: 'hunter3' } : answer;
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const { send, call, service } = await serve(t, { OBS_LOKI: 'the-token' });
  const auth = { type: 'bearer', env: 'OBS_LOKI' };
  await send('POST', path, { ...loki, auth, endpoint: `http://127.0.0.1:${port}` });
  const unknown = await send('GET', '/observability/health');
  const [before] = unknown.body['providers'] as { health: Json }[];
  assert.deepEqual(before?.health['status'], 'unknown');
  const check = async () => (await send('POST', `${path}/log/logs-a/check`)).body['health'] as Json;
  const states = [await check(), await check(), await check()];
  assert.deepEqual(
    states.map(({ status, consecutiveFailures }) => [status, consecutiveFailures]),
    [
      ['degraded', 1],
      ['degraded', 2],
      ['down', 3],
    ],
  );
  assert.equal(states[2]?.['details'], 'it answers 500 and not 200');
  answer = { status: 200, body: '<html>' };
  assert.match(String((await check())['details']), /does not hold "ready"/);
  answer = { status: 200, body: 'ready' };
  const refused = await check();
  assert.deepEqual(
    [refused['status'], refused['checks']],
    ['degraded', { query: 'ok', auth: 'failed' }],
  );
  assert.equal(refused['details'], 'it refuses the credential (status 401)');
  // The server looks by itself as well, at its own times.
  assert.ok(asked.includes('/loki/api/v1/labels Bearer the-token'), asked.join('\n'));
  const told = await call('observability_health', {});
  assert.doesNotMatch(JSON.stringify(told), /hunter|the-token/);
  const { text } = await service.engines.metrics.expose('text/plain');
  const up = /service_observability_provider_up\{[^}]*provider_id="logs-a"[^}]*\} 1/;
  assert.match(text, up);
});
