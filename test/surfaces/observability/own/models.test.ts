import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { serveObservability } from '../observing-server.ts';

type Json = Record<string, unknown>;

const on = {
  SERVICE_ENABLE_LLMTRACE: '1',
  SERVICE_LLMTRACE_ENDPOINT: 'http://127.0.0.1:6006',
};

async function pipelinesOf(server: Awaited<ReturnType<typeof serveObservability>>) {
  const { status, body } = await server.post('/observability/collector/generate', {});
  assert.equal(status, 200, JSON.stringify(body));
  return parse(String((body['generated'] as Json)['text'])) as {
    readonly exporters: Readonly<Record<string, { readonly headers?: object }>>;
    readonly service: { readonly pipelines: Readonly<Record<string, { exporters: string[] }>> };
  };
}

const tempo = {
  ...{ id: 'tempo', signalType: 'trace', kind: 'tempo', endpoint: 'http://127.0.0.1:3200' },
  // At port 4318 of this machine the collector itself listens.
  otlpEndpoint: 'http://127.0.0.1:14318',
};

test('spans of models go to their tool as well, whose secret the collector alone reads', async (t) => {
  const server = await serveObservability(t, on);
  await server.register(tempo);
  const { exporters, service } = await pipelinesOf(server);
  assert.deepEqual(service.pipelines['traces']?.exporters, ['otlp_http/trace_tempo']);
  assert.deepEqual(service.pipelines['traces/llm']?.exporters, ['otlp_http/trace_llmtrace']);
  assert.deepEqual(exporters['otlp_http/trace_llmtrace']?.headers, {
    'x-langfuse-ingestion-version': '4',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the collector expands it
    Authorization: '${env:LLMTRACE_OTLP_AUTH_HEADER}',
  });
  const { body } = await server.get('/observability/providers/trace/llmtrace');
  assert.equal(body['spanFilter'], 'gen_ai_or_service');
  const { body: listed } = await server.get('/observability/providers');
  assert.match(JSON.stringify(listed), /"llmtrace"/);
});

test('a back end of that name that somebody registers takes its place', async (t) => {
  const server = await serveObservability(t, on);
  await server.register(tempo);
  await server.register({ ...tempo, id: 'llmtrace', name: 'mine' });
  const { body } = await server.get('/observability/providers/trace/llmtrace');
  assert.deepEqual([body['name'], body['kind']], ['mine', 'tempo']);
  const { service } = await pipelinesOf(server);
  assert.equal(service.pipelines['traces/llm'], undefined);
});

test('without a place to send them to, nothing is sent; and the server itself is asked still', async (t) => {
  const none = await serveObservability(t, { LLMTRACE_ENABLED: 'true' });
  const { status, body } = await none.get('/observability/providers/trace/llmtrace');
  assert.deepEqual([status, body['error']], [404, 'not_found']);
  const server = await serveObservability(t, on);
  const { body: asked } = await server.post('/observability/query/traces', {
    ...{ traceql: '{ kind = server }', timeRange: { from: 'now-5m', to: 'now' } },
  });
  const [first] = asked['providers'] as Json[];
  assert.deepEqual([first?.['providerId'], first?.['status']], ['this-server', 'ok']);
});
