import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveObservability } from '../observing-server.ts';
import { startJaeger } from '../real/back-ends.ts';

const ms = 1_000_000n;

interface Trace {
  readonly traceId: string;
  readonly rootName: string;
  readonly durationMs: number;
  readonly spanCount: number;
  readonly errorCount: number;
  readonly providerIds: readonly string[];
}

/** Hand a checkout of two services to Jaeger, of which each third fails. */
async function send(otlp: string, number: number, at: bigint): Promise<void> {
  const isBad = number % 3 === 0;
  const traceId = (number + 1).toString(16).padStart(32, '0');
  const span = (id: string, parent: string, name: string, from: bigint, to: bigint) => ({
    ...{ traceId, spanId: id, name, kind: 2, parentSpanId: parent },
    startTimeUnixNano: (at + from * ms).toString(),
    endTimeUnixNano: (at + to * ms).toString(),
    attributes: [{ key: 'http.method', value: { stringValue: 'POST' } }],
    ...(isBad && { status: { code: 2 } }),
  });
  const resource = (name: string) => ({
    attributes: [{ key: 'service.name', value: { stringValue: name } }],
  });
  const body = JSON.stringify({
    resourceSpans: [
      {
        resource: resource('checkout'),
        scopeSpans: [{ spans: [span('00000000000000a1', '', 'place order', 0n, 100n)] }],
      },
      {
        resource: resource('payment'),
        scopeSpans: [{ spans: [span('00000000000000a2', '00000000000000a1', 'charge', 10n, 90n)] }],
      },
    ],
  });
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${otlp}/v1/traces`, { method: 'POST', headers, body });
  assert.equal(reply.status, 200, await reply.text());
}

test('traces of two Jaegers: one row each, as Jaeger knows them, and where their time went', async (t) => {
  const [first, second] = await Promise.all([startJaeger(t), startJaeger(t)]);
  const { register, post, get, call, written } = await serveObservability(t);
  const now = BigInt(Date.now()) * ms;
  for (let number = 0; number < 12; number += 1) {
    const at = now - BigInt(number) * 1000n * ms;
    await send(first.otlp, number, at);
    if (number < 6) await send(second.otlp, number, at);
  }
  const base = { signalType: 'trace', kind: 'jaeger' };
  await register({ ...base, id: 'one', endpoint: first.url, otlpEndpoint: first.otlp });
  await register({ ...base, id: 'two', endpoint: second.url, otlpEndpoint: second.otlp });
  const ownTraces = async (url: string) => {
    const reply = await fetch(`${url}/api/traces?service=checkout&limit=100&lookback=1h`);
    const { data } = (await reply.json()) as { data: { traceID: string; spans: unknown[] }[] };
    return data;
  };
  while ((await ownTraces(first.url)).length < 12) await sleep(100);
  const timeRange = { startMs: Number(now / ms) - 600_000, endMs: Number(now / ms) + 1000 };
  const filter = { service: 'checkout' };
  const all = { filter, timeRange, selection: { mode: 'all' } };

  await t.test('the traces of one are those of its own API', async () => {
    const selection = { mode: 'one', providerId: 'one' };
    const { body } = await post('/observability/query/traces', { ...all, selection });
    const ours = (body['data'] as Trace[]).map(({ traceId, spanCount }) => [traceId, spanCount]);
    const theirs = (await ownTraces(first.url)).map(({ traceID, spans }) => [
      traceID.padStart(32, '0'),
      spans.length,
    ]);
    assert.deepEqual(ours.sort(), theirs.sort());
  });

  await t.test('what both keep is one row that names both', async () => {
    const { body } = await post('/observability/query/traces', all);
    const traces = body['data'] as Trace[];
    assert.equal(traces.length, 12);
    assert.equal(traces.filter(({ providerIds }) => providerIds.length === 2).length, 6);
    const [newest] = traces;
    assert.deepEqual(
      [newest?.rootName, newest?.durationMs, newest?.spanCount, newest?.errorCount],
      ['place order', 100, 2, 2],
    );
  });

  await t.test('failed traces, and those with a tag, in words of Jaeger and without', async () => {
    const failed = { ...all, filter: { ...filter, level: 'error' } };
    const { body } = await post('/observability/query/traces', failed);
    assert.equal((body['data'] as Trace[]).length, 4);
    const tags = { query: 'service=checkout http.method=POST minDuration=50ms', language: 'tags' };
    const { body: tagged } = await post('/observability/query/traces', {
      ...{ ...tags, timeRange, selection: { mode: 'all' } },
    });
    assert.equal((tagged['data'] as Trace[]).length, 12);
    const none = { ...all, filter: { ...filter, minDurationMs: 5000 } };
    const { body: slow } = await post('/observability/query/traces', none);
    assert.deepEqual(slow['data'], []);
  });

  await t.test('the spans of one trace, each once, and where its time went', async () => {
    const traceId = '1';
    const { body } = await post('/observability/query/traces', { ...all, filter: { traceId } });
    const { resourceSpans } = body['data'] as {
      resourceSpans: { scopeSpans: { spans: object[] }[] }[];
    };
    const spans = resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((each) => each.spans),
    );
    assert.equal(spans.length, 2);
    assert.deepEqual(body['dedup'], { applied: true, dropped: 2 });
    const { body: flame } = await get(`/observability/flame/trace/${traceId}?format=json`);
    assert.deepEqual(flame['mostSelf'], [
      { service: 'payment', name: 'charge', selfMs: 80, count: 1 },
      { service: 'checkout', name: 'place order', selfMs: 20, count: 1 },
    ]);
    const entries = await written('OBSERVABILITY_RAW_DATA_ACCESSED');
    assert.ok(entries.some(({ payload }) => payload['provider_id'] === 'two'));
  });

  await t.test('a trace that nobody has, and ids that are none', async () => {
    const missing = await get(`/observability/flame/trace/${'f'.repeat(32)}`);
    assert.deepEqual([missing.status, missing.body['error']], [404, 'not_found']);
    const wrong = await get('/observability/flame/trace/xyz');
    assert.deepEqual([wrong.status, wrong.body['error']], [400, 'invalid_request']);
  });

  await t.test('Jaeger cannot be asked without a service, and the answer says so', async () => {
    const { isError, content } = await call('observability_query_traces', {
      ...{ filter: { level: 'error' }, timeRange },
    });
    assert.equal(isError, true);
    assert.match(String(content[0]?.text), /it cannot be asked without service/);
  });
});
