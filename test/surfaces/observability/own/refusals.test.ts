import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { stop } from '../../../../runtime/commands/service-life.ts';
import { startFakeBackEnd } from '../fake-back-end.ts';
import { serveObservability } from '../observing-server.ts';
import { receiveOtlp } from './otlp-receiver.ts';

test('who is refused is told of, everywhere and without a name', async (t) => {
  const otlp = await receiveOtlp(t);
  const pushed: string[] = [];
  const loki = await startFakeBackEnd(t, (request, response) => {
    request.on('data', (chunk) => pushed.push(String(chunk)));
    request.on('end', () => response.writeHead(204).end());
  });
  const { address, service } = await serveObservability(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
    SERVICE_GUARD_TELEMETRY_LOG_URL: `${loki}/loki/api/v1/push`,
    SERVICE_AUTH: 'required',
  });
  const token = await service.commands['token']?.([], { scope: 'api.read' });
  assert.ok(token);
  const reply = await fetch(`${address()}/observability/query/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"logql":"{a=\\"b\\"}"}',
  });
  assert.equal(reply.status, 403);
  assert.match(reply.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/);
  const body = (await reply.json()) as Record<string, string>;
  assert.deepEqual(
    [body['error'], body['scope']],
    ['insufficient_scope', 'observability:query_logs'],
  );
  while (pushed.length === 0) await sleep(10);
  const { text } = await service.engines.metrics.expose('text/plain');
  assert.match(text, /service_guard_decisions_total\{verdict="deny",tool="queryLogs"\} 1/);
  await stop(service, undefined);

  const [record] = otlp.records();
  assert.deepEqual([record?.eventName, record?.severityNumber], ['service.guard.decision', 13]);
  const { 'enduser.id': who, 'service.correlation_id': id, ...rest } = record?.attributes ?? {};
  assert.match(String(who), /^[0-9a-f]{32}$/);
  assert.match(String(id), /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    'service.tool_name': 'queryLogs',
    'service.guard.verdict': 'deny',
    'service.guard.reason': 'queryLogs needs observability:query_logs',
    'service.guard.rule_id': 'scopes',
    'service.tenant': 'default',
    'error.type': 'insufficient_scope',
    'gen_ai.tool.name': 'queryLogs',
  });
  const span = otlp.spans().find(({ name }) => name === 'POST /observability/query/logs');
  assert.equal(span?.attributes['service.guard.verdict'], 'deny');
  assert.equal(record?.traceId, span?.traceId);

  const { streams } = JSON.parse(pushed.join('')) as {
    streams: { stream: object; values: [string, string][] }[];
  };
  assert.deepEqual(streams[0]?.stream, {
    ...{ service: 'service-guard', verdict: 'deny', tool: 'queryLogs' },
  });
  const line = JSON.parse(streams[0]?.values[0]?.[1] ?? '{}') as Record<string, string>;
  assert.deepEqual([line['msg'], line['level'], line['enduser.id']], ['guard_deny', 'warn', who]);
  assert.doesNotMatch(pushed.join(''), /reg_|Bearer/);
});
