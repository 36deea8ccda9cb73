import assert from 'node:assert/strict';
import test from 'node:test';
import pino from 'pino';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { broken, toolOf } from '../../in-memory-tools.ts';
import { legacy, modern } from '../rpc.ts';

// MCP 2026-07-28, general fields, OpenTelemetry trace context.

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

test('a tool knows the trace that its call belongs to, in both eras', async (t) => {
  const seen: unknown[] = [];
  const tool = toolOf({ name: 'test_traced' }, async (_args, { trace }) => {
    seen.push(trace);
    return { content: [] };
  });
  const url = await startInMemoryServer(t, { tools: [tool] });
  const call = { method: 'tools/call', params: { name: 'test_traced' } };
  await modern(url, { ...call, _meta: { traceparent, tracestate: 'rojo=1', baggage: 'user=1' } });
  await legacy(url, { ...call, params: { ...call.params, _meta: { traceparent } } });
  await modern(url, { ...call, _meta: { traceparent: 'nonsense' } });
  await modern(url, call);
  assert.deepEqual(seen, [
    { traceparent, tracestate: 'rojo=1' },
    { traceparent },
    undefined,
    undefined,
  ]);
});

test('log entries name the trace', async (t) => {
  const entries: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => entries.push(JSON.parse(line)) });
  const url = await startInMemoryServer(t, { tools: [broken], log });
  const call = { method: 'tools/call', params: { name: 'test_broken' } };
  await modern(url, { ...call, _meta: { traceparent } });
  await modern(url, call);
  const traced = entries.map(({ msg, traceId: id }) => [msg, id]);
  assert.deepEqual(traced, [
    ['a request failed', traceId],
    ['answered', traceId],
    ['a request failed', undefined],
    ['answered', undefined],
  ]);
});
