import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Signal } from '#contract/telemetry/kind';
import {
  discover,
  type FieldInput,
} from '../../../../runtime/surfaces/observability/query/discover/discover.ts';
import { serveObservability } from '../observing-server.ts';
import { answered, federationOf, type TestBackEnd } from './federation.ts';

const timeRange = { startMs: 1_789_999_000_000, endMs: 1_790_000_000_000 };

function asking(signal: Signal, backEnds: readonly TestBackEnd[]) {
  const federation = federationOf(signal, backEnds);
  const ask = (input: FieldInput) =>
    discover(federation.parts, signal, { timeRange, ...input }, federation.context);
  return { ...federation, ask };
}

/** What a kind is asked, what its documentation lets it answer, and what is read of that. */
const documented: readonly (readonly [
  string,
  Signal,
  FieldInput,
  string,
  string,
  readonly string[],
])[] = [
  [
    ...(['loki', 'log', {}] as const),
    '/loki/api/v1/labels?start=1789999000000000000&end=1790000000000000000',
    '{"status":"success","data":["app","service_name"]}',
    ['app', 'service', 'service_name'],
  ],
  [
    ...(['loki', 'log', { field: 'a/../b' }] as const),
    '/loki/api/v1/label/a%2F..%2Fb/values?start=1789999000000000000&end=1790000000000000000',
    '{"status":"success"}',
    [],
  ],
  [
    ...(['victorialogs', 'log', { field: 'service' }] as const),
    '/select/logsql/stream_field_values?query=*&field=service.name&start=2026-09-21T13%3A56%3A40Z&end=2026-09-21T14%3A13%3A20Z&limit=10000',
    '{"values":[{"value":"checkout","hits":3},{"value":"cart","hits":1}]}',
    ['cart', 'checkout'],
  ],
  ...(['prometheus', 'victoriametrics'] as const).map(
    (kind) =>
      [
        ...([kind, 'metric', { field: 'name' }] as const),
        '/api/v1/label/__name__/values?start=1789999000&end=1790000000',
        '{"status":"success","data":["up"]}',
        ['up'],
      ] as const,
  ),
  [
    ...(['mimir', 'metric', { field: 'service' }] as const),
    '/prometheus/api/v1/label/job/values?start=1789999000&end=1790000000',
    '{"status":"success","data":["api"]}',
    ['api'],
  ],
  [
    ...(['tempo', 'trace', {}] as const),
    '/api/v2/search/tags?start=1789999000&end=1790000000',
    '{"scopes":[{"name":"resource","tags":["service.name"]},{"name":"span","tags":["http.route"]}]}',
    ['http.route', 'name', 'service', 'service.name'],
  ],
  [
    ...(['tempo', 'trace', { field: 'http.route' }] as const),
    '/api/v2/search/tag/.http.route/values?start=1789999000&end=1790000000',
    '{"tagValues":[{"type":"string","value":"/pay"}]}',
    ['/pay'],
  ],
  [
    ...(['jaeger', 'trace', { field: 'service' }] as const),
    '/api/services',
    '{"data":["checkout"],"total":1}',
    ['checkout'],
  ],
  [
    ...(['jaeger', 'trace', { field: 'name', service: 'a b' }] as const),
    '/api/services/a%20b/operations',
    '{"data":["GET /"],"total":1}',
    ['GET /'],
  ],
  [
    ...(['victoriatraces', 'trace', { field: 'service' }] as const),
    '/select/jaeger/api/services',
    '{"data":["checkout"]}',
    ['checkout'],
  ],
  [
    ...(['pyroscope', 'profile', { field: 'type' }] as const),
    '/querier.v1.QuerierService/ProfileTypes',
    '{"profileTypes":[{"ID":"process_cpu:cpu:nanoseconds:cpu:nanoseconds","name":"process_cpu"}]}',
    ['process_cpu:cpu:nanoseconds:cpu:nanoseconds'],
  ],
  [
    ...(['clickhouse', 'log', { field: 'service' }] as const),
    '/?default_format=JSON&readonly=1&max_execution_time=10&param_start=1789999000&param_end=1790000000&param_limit=10000',
    '{"data":[{"ServiceName":"checkout"}],"rows":1}',
    ['checkout'],
  ],
  [
    ...(['elasticsearch', 'trace', { field: 'service' }] as const),
    '/traces-*/_search?ignore_unavailable=true&timeout=10000ms',
    '{"aggregations":{"values":{"buckets":[{"key":"checkout","doc_count":2}]}}}',
    ['checkout'],
  ],
];

for (const [kind, signal, input, path, answer, values] of documented) {
  test(`${kind} says ${input.field ?? 'which fields there are'}`, async () => {
    const { ask, requests } = asking(signal, [{ id: 'a', kind, answers: () => answered(answer) }]);
    const found = await ask(input);
    assert.deepEqual(
      requests.map((request) => request.path),
      [path],
    );
    assert.deepEqual(
      found.values,
      values.map((value) => ({ value, providerIds: ['a'] })),
    );
  });
}

test('back ends are asked together: what they have is merged, who cannot say it is named', async () => {
  const data = (...list: string[]) => answered(JSON.stringify({ status: 'success', data: list }));
  const { ask, accesses } = asking('log', [
    { id: 'a', kind: 'loki', answers: () => data('checkout', 'cart\u0007') },
    { id: 'b', kind: 'loki', answers: () => data('checkout', 'Shop') },
    { id: 'c', kind: 'loki', answers: () => answered('<html>token=abc</html>', 502) },
    { id: 'd', kind: 'datadog', answers: () => assert.fail() },
  ]);
  const { values, complete, providers, warnings, truncated } = await ask({ field: 'service' });
  assert.deepEqual(values, [
    { value: 'Shop', providerIds: ['b'] },
    { value: 'cart', providerIds: ['a'] },
    { value: 'checkout', providerIds: ['a', 'b'] },
  ]);
  assert.deepEqual([complete, truncated], [['a', 'b'], false]);
  assert.deepEqual(
    providers.map(({ status }) => status),
    ['ok', 'ok', 'error', 'skipped'],
  );
  assert.match(warnings.join('\n'), /^c: .*\nd: not asked: it tells no values of fields$/);
  assert.doesNotMatch(JSON.stringify(warnings), /abc/);
  assert.equal(accesses.length, 0);
  const few = await ask({ field: 'service', contains: 'S', limit: 1 });
  assert.deepEqual([few.values.map(({ value }) => value), few.truncated], [['Shop'], false]);
  const one = await ask({ limit: 1 });
  assert.equal(one.truncated, true);
});

test('values that a line may hold are written down for each that gave some', async () => {
  const { ask, accesses } = asking('log', [
    { id: 'a', kind: 'loki', answers: () => answered('{"data":["1@example.com"]}') },
    { id: 'b', kind: 'loki', answers: () => answered('{"data":[]}') },
  ]);
  await ask({ field: 'email' });
  assert.deepEqual(
    accesses.map(({ providerId, rows, signal }) => [providerId, rows, signal]),
    [['a', 1, 'log']],
  );
});

test('where a back end would read too much for it, it is not asked', async () => {
  const { ask, requests } = asking('log', [
    {
      ...{ id: 'a', kind: 'victorialogs', answers: () => assert.fail() },
      reads: () => ({ hits: [{ total: 600_000_000 }] }),
    },
  ]);
  await assert.rejects(ask({ field: 'service' }), { code: 'payload_too_large' });
  assert.equal(requests.length, 0);
});

test('who cannot say it, and what is no answer, is told', async () => {
  const alone = (kind: string, signal: Signal, answer: string) =>
    asking(signal, [{ id: 'a', kind, answers: () => answered(answer) }]);
  await assert.rejects(alone('jaeger', 'trace', '').ask({ field: 'name' }), {
    code: 'invalid_query',
    message: /the name of one service alone: give service/,
  });
  await assert.rejects(alone('jaeger', 'trace', '').ask({}), /it tells of name and service alone/);
  await assert.rejects(alone('loki', 'log', '{"data":').ask({}), /something else than telemetry/);
  await assert.rejects(alone('loki', 'log', '{"data":"x"}').ask({}), /stands no list/);
  await assert.rejects(alone('loki', 'log', '').ask({ timeRange: { from: 'now-9d' } }), {
    code: 'invalid_request',
  });
});

test('without a back end, the server says what it keeps itself', async (t) => {
  const { post, call, service } = await serveObservability(t, { SERVICE_LOG_LEVEL: 'info' });
  service.engines.log.warn({ city: 'Oslo' }, 'the tide is high');
  await post('/observability/query/logs', { logql: '{' });
  const now = { from: 'now-5m' };
  const find = async (signalType: string, field?: string) => {
    const asked = { signalType, timeRange: now, limit: 1000, ...(field && { field }) };
    const { status, body } = await post('/observability/query/fields', asked);
    assert.equal(status, 200, JSON.stringify(body));
    return (body['values'] as { value: string }[]).map(({ value }) => value);
  };
  assert.deepEqual(await find('metrics', 'service'), ['agent-tool-server']);
  assert.ok((await find('metric', 'name')).includes('nodejs_version_info'));
  assert.ok((await find('metric')).includes('version'));
  assert.ok((await find('trace')).includes('http.route'));
  assert.deepEqual(await find('trace', 'service'), ['agent-tool-server']);
  assert.ok((await find('trace', 'http.route')).includes('/observability/query/logs'));
  assert.ok((await find('log')).includes('service_name'));
  assert.deepEqual(await find('log', 'city'), ['Oslo']);
  const { content, structuredContent } = await call('observability_fields', {
    ...{ signalType: 'trace', field: 'name', contains: 'query' },
  });
  assert.match(String(content[0]?.text), /^Data from back ends of telemetry /);
  const { values } = structuredContent as unknown as { values: { value: string }[] };
  assert.ok(values.some(({ value }) => value.includes('/observability/query/logs')));
});
