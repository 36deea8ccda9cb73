import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stop } from '../../../../runtime/commands/service-life.ts';
import { startFakeBackEnd } from '../fake-back-end.ts';
import { serveObservability } from '../observing-server.ts';
import { receiveOtlp } from './otlp-receiver.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const around = '11112222333344445555666677778888';
const kinds = { server: 2, client: 3 };

/** Call a tool in the way of 2026-07-28. */
async function callTool(address: string, name: string, args: object, more: object = {}) {
  const { headers = {}, meta = {} } = more as { headers?: object; meta?: object };
  const reply = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
      ...headers,
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 7, method: 'tools/call' },
      params: {
        ...{ name, arguments: args },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          ...meta,
        },
      },
    }),
  });
  return reply.text();
}

test('a call is one span of the trace that its message names; what it asks others for hangs below', async (t) => {
  const otlp = await receiveOtlp(t);
  const seen: (string | undefined)[] = [];
  const states = new Set<unknown>();
  const endpoint = await startFakeBackEnd(t, (request, response) => {
    if (request.headers['traceparent']) seen.push(String(request.headers['traceparent']));
    if (request.headers['traceparent']) states.add(request.headers['tracestate']);
    response.setHeader('content-type', 'application/json');
    response.end('{"status":"success","data":{"resultType":"matrix","result":[]}}');
  });
  const { address, register, service } = await serveObservability(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${otlp.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b, broken',
    OTEL_SERVICE_NAME: 'tools-a',
  });
  await register({ id: 'prom', signalType: 'metric', kind: 'prometheus', endpoint });
  await callTool(
    address(),
    'observability_query_metrics',
    { promql: 'up', format: 'json' },
    {
      headers: { traceparent: `00-${around}-b7ad6b7169203331-01` },
      meta: {
        traceparent: `00-${trace}-b7ad6b7169203331-01`,
        tracestate: 'a=1',
        baggage: 'who=me',
      },
    },
  );
  await callTool(address(), 'no_such_tool_at_all', {});
  const metrics = await fetch(`${address()}/metrics`, {
    headers: { accept: 'application/openmetrics-text' },
  });
  const text = await metrics.text();
  await stop(service, undefined);

  const [call] = otlp.spans().filter(({ name }) => name.startsWith('tools/call observability'));
  assert.ok(call);
  assert.deepEqual(
    [call.name, call.kind, call.traceId, call.parentSpanId, call.status.code ?? 0],
    [
      ...['tools/call observability_query_metrics', kinds.server, trace],
      ...['b7ad6b7169203331', 0],
    ],
  );
  assert.deepEqual(
    call.links.map(({ traceId }) => traceId),
    [around],
  );
  assert.deepEqual(call.attributes, {
    'gen_ai.tool.name': 'observability_query_metrics',
    'mcp.method.name': 'tools/call',
    'mcp.protocol.version': '2026-07-28',
    'jsonrpc.request.id': '7',
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'gen_ai.operation.name': 'execute_tool',
    'service.tenant': 'default',
  });
  const [asked] = otlp.spans().filter(({ parentSpanId }) => parentSpanId === call.spanId);
  assert.ok(asked);
  assert.deepEqual([asked.name, asked.kind, asked.traceId], ['POST', kinds.client, trace]);
  assert.equal(asked.attributes['http.response.status_code'], 200);
  assert.deepEqual(seen, [`00-${trace}-${asked.spanId}-01`], 'the back end sees the trace');
  assert.deepEqual(states, new Set(['a=1']));

  const unknown = otlp.spans().find(({ name }) => name === 'tools/call _other');
  assert.equal(unknown?.status.code, 2);
  assert.equal(unknown.attributes['error.type'], '-32602');
  const route = otlp.spans().find(({ name }) => name === 'POST /observability/providers');
  assert.equal(route?.attributes['http.response.status_code'], 201);

  // A value on /metrics names the trace of one of its calls.
  const found = new RegExp(
    `mcp_server_operation_duration_seconds_bucket\\{[^}]*observability_query_metrics[^}]*\\} 1 # \\{trace_id="${trace}",span_id="${call.spanId}"\\} [0-9.e-]+ [0-9.]+`,
  );
  assert.match(text, found);

  assert.ok(otlp.came.every(({ headers }) => headers['x-token'] === 'a b'));
  assert.match(JSON.stringify(otlp.came), /"service\.name","value":\{"stringValue":"tools-a"/);
  assert.doesNotMatch(JSON.stringify(otlp.came), /who=me/, 'baggage goes nowhere');

  const duration = otlp
    .metrics()
    .find(({ name }) => name === 'mcp_server_operation_duration_seconds');
  assert.equal(duration?.histogram?.aggregationTemporality, 2);
  const points = duration?.histogram?.dataPoints ?? [];
  const sum = (list: readonly (number | string)[]) =>
    list.reduce<number>((total, each) => total + Number(each), 0);
  assert.deepEqual(
    points.map(({ count, bucketCounts }) => Number(count) === sum(bucketCounts)),
    [...points.map(() => true)],
  );
  assert.equal(sum(points.map(({ count }) => count)), 2);
  assert.ok(otlp.metrics().some(({ name }) => name.startsWith('nodejs_')));
});

test('a caller that does not sample is not traced, and one that says nothing by the ratio', async (t) => {
  const otlp = await receiveOtlp(t);
  const { address, service } = await serveObservability(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  const call = (flags: string) =>
    callTool(
      address(),
      'observability_health',
      {},
      {
        meta: { traceparent: `00-${trace}-b7ad6b7169203331-${flags}` },
      },
    );
  await call('00');
  await callTool(address(), 'observability_health', {});
  await call('01');
  await stop(service, undefined);
  const names = otlp.spans().map(({ name, traceId }) => `${name} ${traceId}`);
  assert.deepEqual(names, [`tools/call observability_health ${trace}`]);
});

test('a trace that is malformed is none, and never an error', async (t) => {
  const otlp = await receiveOtlp(t);
  const { address, service } = await serveObservability(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
  });
  for (const traceparent of ['x', 7, `00-${'0'.repeat(32)}-b7ad6b7169203331-01`]) {
    const text = await callTool(address(), 'observability_health', {}, { meta: { traceparent } });
    assert.match(text, /"checkedAt"|checkedAt/);
  }
  await stop(service, undefined);
  const roots = otlp.spans().filter(({ name }) => name === 'tools/call observability_health');
  assert.deepEqual(
    roots.map(({ parentSpanId }) => parentSpanId ?? ''),
    ['', '', ''],
  );
});

test('a receiver that is away keeps nobody waiting, and what was lost is counted', async (t) => {
  const { address, service } = await serveObservability(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  });
  assert.match(await callTool(address(), 'observability_health', {}), /checkedAt/);
  await stop(service, undefined);
  const { text } = await service.engines.metrics.expose('text/plain');
  assert.match(text, /^service_telemetry_lost_total\{signal="traces",reason="failed"\} 1$/m);
  assert.match(text, /^service_telemetry_lost_total\{signal="metrics",reason="failed"\} 1$/m);
});
