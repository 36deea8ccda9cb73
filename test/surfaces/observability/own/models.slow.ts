import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { callTool } from '../../search/search-server.ts';
import { serveObservability } from '../observing-server.ts';
import { startJaeger } from '../real/back-ends.ts';
import { collectorPlace, runCollector } from '../real/collector.ts';
import { spansIn, startPhoenix } from '../real/phoenix.ts';

type Json = Record<string, unknown>;

test('calls of tools stand in Jaeger with all else, and in Phoenix as calls of tools', async (t) => {
  const [phoenix, jaeger] = [await startPhoenix(t), await startJaeger(t)];
  const place = await collectorPlace(t);
  const server = await serveObservability(t, {
    ...place.env,
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: place.otlp, OTEL_SERVICE_NAME: 'tools-a' },
    ...{ LLMTRACE_ENABLED: 'true', SERVICE_LLMTRACE_ENDPOINT: phoenix.url },
    ...{ SERVICE_LLMTRACE_KIND: 'phoenix', SERVICE_LLMTRACE_AUTH: 'none' },
  });
  await server.register({
    ...{ id: 'jaeger', signalType: 'trace', kind: 'jaeger', endpoint: jaeger.url },
    otlpEndpoint: jaeger.otlp,
  });
  const { body } = await server.post('/observability/collector/generate', {});
  writeFileSync(place.config, String((body['generated'] as Json)['text']));
  await runCollector(t, place);

  await callTool(new URL('/mcp', server.address()), 'observability_health', {});
  const health = await server.get('/observability/health');
  assert.equal(health.status, 200);
  const isCall = ({ name }: { name: string }) => name === 'tools/call observability_health';
  for (;;) {
    if ((await spansIn(phoenix.url, 'tools-a')).some(isCall)) break;
    await sleep(200);
  }
  const own = await spansIn(phoenix.url, 'tools-a');
  const call = own.find(isCall);
  assert.deepEqual([call?.span_kind, call?.parent_id], ['TOOL', null]);
  const attributes = JSON.stringify(call?.attributes);
  assert.match(attributes, /execute_tool/);
  assert.match(attributes, /observability_health/);
  // Requests of routes are no work of an agent.
  assert.deepEqual(
    own.filter(({ name }) => name.startsWith('GET ') || name.startsWith('POST ')),
    [],
  );

  const timeRange = { from: 'now-15m', to: 'now' };
  const ask = async (providerId: string) => {
    const { status, body } = await server.post('/observability/query/traces', {
      ...{ filter: { service: 'tools-a' }, timeRange, selection: { mode: 'one', providerId } },
    });
    assert.equal(status, 200, JSON.stringify(body));
    return (body['data'] as Json[]).map(({ traceId, rootName }) => ({ traceId, rootName }));
  };
  const traceId = call?.context.trace_id;
  const found = { traceId, rootName: 'tools/call observability_health' };
  assert.ok((await ask('llmtrace')).some((each) => each.traceId === traceId));
  assert.deepEqual(
    (await ask('llmtrace')).find((each) => each.traceId === traceId),
    found,
  );
  let everything = await ask('jaeger');
  while (!everything.some(({ rootName }) => rootName === 'GET /observability/health')) {
    await sleep(200);
    everything = await ask('jaeger');
  }
  assert.deepEqual(
    everything.find((each) => each.traceId === traceId),
    found,
  );
});
