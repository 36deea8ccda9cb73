import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { request } from 'undici';
import type { Route } from '#contract/surface/route';
import { createMetrics, type Metrics } from '../../../runtime/observe/metrics.ts';
import { startInMemoryServer } from '../in-memory-server.ts';
import { echo, waiting } from '../in-memory-tools.ts';
import { modern } from '../mcp/rpc.ts';

// OpenTelemetry, HTTP server metrics: every request is counted, those that are refused too.

const thing: Route = {
  name: 'getThing',
  method: 'GET',
  path: '/things/{id}',
  access: 'public',
  responses: { 204: {} },
};

/** Method, route, status and error type of each series, with how often it was counted. */
async function counted(metrics: Metrics): Promise<readonly string[]> {
  const { text } = await metrics.expose('');
  const line =
    /^http_server_request_duration_seconds_count\{http_request_method="(.*?)",http_route="(.*?)",http_response_status_code="(.*?)",.*?error_type="(.*?)",.*\} (\d+)$/gm;
  return [...text.matchAll(line)].map((match) => match.slice(1).join(' ')).sort();
}

test('requests that are refused are counted', async (t) => {
  const metrics = createMetrics();
  const routes = [{ route: thing, handle: async () => ({ status: 204 }) }];
  const url = await startInMemoryServer(t, { metrics, routes, tools: [echo] });
  const send = async (method: string, path: string, headers = {}) => {
    const answer = await request(new URL(path, url), { method: method as 'GET', headers });
    await answer.body.dump();
  };
  await modern(url, { method: 'tools/list' });
  await send('GET', '/mcp');
  await send('PROPFIND', '/mcp');
  await send('POST', '/mcp', { 'content-type': 'text/plain' });
  await send('POST', '/mcp', { host: 'evil.example' });
  await send('GET', '/things/1');
  await send('GET', '/things/1', { host: 'evil.example' });
  await send('GET', '/nothing');
  await send('POST', '/nothing', { 'content-type': 'text/plain' });
  await send('GET', '/%zz');
  assert.deepEqual(await counted(metrics), [
    'GET  400  1',
    'GET  403  1',
    'GET  404  1',
    'GET /mcp 405  1',
    'GET /things/:id 204  1',
    'POST  404  1',
    'POST /mcp 200  1',
    'POST /mcp 403  1',
    'POST /mcp 415  1',
    '_OTHER /mcp 405  1',
  ]);
});

test('a client that leaves is counted, with the tool that it called', async (t) => {
  const metrics = createMetrics();
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<unknown>();
  const tools = [waiting(stopped.resolve, started.resolve)];
  const url = await startInMemoryServer(t, { metrics, tools });
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_waiting"}}';
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  const head = ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await started.promise;
  socket.destroy();
  await stopped.promise;
  while ((await counted(metrics)).length === 0) await nextTurn();
  assert.deepEqual(await counted(metrics), ['POST /mcp  client_gone 1']);
  const { text } = await metrics.expose('');
  const calls =
    /^mcp_server_operation_duration_seconds_count\{.*"test_waiting".*"client_gone".* 1$/m;
  assert.match(text, calls);
});
