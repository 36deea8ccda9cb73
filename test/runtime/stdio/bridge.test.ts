import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import test from 'node:test';
import { InputRequired } from '#contract/client';
import { toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import { counting, echo, toolOf, waiting } from '../in-memory-tools.ts';
import { dataFolder } from './data-folder.ts';
import { startLocalService } from './local-service.ts';
import { modern, opening, startStdio } from './stdio-process.ts';

// MCP 2026-07-28, stdio; the messages of the handshake era are those of 2025-11-25.

const call = (name: string, args: object = {}) => modern('tools/call', { name, arguments: args });

const largeResult = { content: [{ type: 'text', text: 'x'.repeat(500_000) }] } as const;

test('one process serves both eras', async (t) => {
  const { dataDir } = await startLocalService(t, [echo]);
  const stdio = startStdio(t, dataDir);
  const { result: modernResult } = await stdio.ask(1, 'tools/call', {
    name: 'test_echo',
    arguments: { text: 'grüße\u2028' },
  });
  assert.deepEqual(modernResult?.['structuredContent'], { text: 'grüße\u2028' });
  assert.equal(modernResult?.['resultType'], 'complete');
  stdio.send(opening);
  const { result } = await stdio.answer('open');
  assert.equal(result?.['protocolVersion'], '2025-11-25');
  stdio.send({ method: 'notifications/initialized' });
  stdio.send({
    id: 2,
    method: 'tools/call',
    params: { name: 'test_echo', arguments: { text: 'a' } },
  });
  const legacy = await stdio.answer(2);
  assert.deepEqual(legacy.result?.['structuredContent'], { text: 'a' });
  assert.equal(legacy.result?.['resultType'], undefined);
  assert.equal(await stdio.end(), 0);
});

test('nothing but messages is on standard output, whatever is logged', async (t) => {
  const { dataDir } = await startLocalService(t, [echo]);
  const stdio = startStdio(t, dataDir, { SERVICE_LOG_LEVEL: 'trace', SERVICE_LOGLEVEL: 'x' });
  await stdio.ask(1, 'tools/list');
  await stdio.ask(2, 'tools/call', { name: 'none' });
  assert.equal(await stdio.end(), 0);
  assert.match(stdio.log, /connected to the server/);
  assert.match(stdio.log, /SERVICE_LOGLEVEL is not known/);
  assert.deepEqual(
    stdio.said.map(({ id }) => id),
    [1, 2],
  );
});

test('what is no message is refused, and the next one is served (JSON-RPC 2.0, section 5.1)', async (t) => {
  const { dataDir } = await startLocalService(t, [echo]);
  const stdio = startStdio(t, dataDir);
  stdio.write('{"jsonrpc":"2.0",\n\r\n   \n');
  assert.equal((await stdio.answer(null)).error?.code, -32700);
  stdio.write('[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n');
  await stdio.heard(({ error }) => error?.code === -32600);
  stdio.send({ id: 5, method: 7 });
  assert.equal((await stdio.answer(5)).error?.code, -32600);
  stdio.send({ id: 6, ...modern('tools/nothing') });
  assert.equal((await stdio.answer(6)).error?.code, -32601);
  assert.equal(stdio.said.length, 4);
});

test('a line that is too long is refused under its id, and the next one is served', async (t) => {
  const { dataDir } = await startLocalService(t, [echo]);
  const stdio = startStdio(t, dataDir, { SERVICE_MAX_BODY_BYTES: '65536' });
  stdio.write('{"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{"text":"');
  const block = Buffer.alloc(1024 * 1024, 0x78);
  for (let count = 0; count < 32; count++) {
    if (!stdio.child.stdin.write(block)) await once(stdio.child.stdin, 'drain');
  }
  stdio.write('"}},"id":"huge"}\n');
  const { error } = await stdio.answer('huge');
  assert.equal(error?.code, -31413);
  assert.match(error?.message ?? '', /longer than 65536 bytes/);
  assert.ok((await stdio.ask(1, 'tools/list')).result);
});

test('a line that would be millions of values is refused under its id', async (t) => {
  const { dataDir } = await startLocalService(t, [echo]);
  const stdio = startStdio(t, dataDir);
  const many = `[${'{},'.repeat(1_000_000)}{}]`;
  stdio.write(`{"jsonrpc":"2.0","method":"tools/call","params":{"a":${many}},"id":"many"}\n`);
  const { error } = await stdio.answer('many');
  assert.equal(error?.code, -31413);
  assert.match(error?.message ?? '', /holds more than 50000 values/);
  assert.ok((await stdio.ask(1, 'tools/list')).result);
});

test('a message that only the server finds too long is refused under its id', async (t) => {
  const { dataDir } = await startLocalService(t, [echo], { SERVICE_MAX_BODY_BYTES: '2048' });
  const stdio = startStdio(t, dataDir);
  const params = { name: 'test_echo', arguments: { text: 'x'.repeat(4000) } };
  assert.equal((await stdio.ask(1, 'tools/call', params)).error?.code, -31413);
});

test('notifications/cancelled stops a call, of which nothing more is said', async (t) => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<unknown>();
  const { dataDir } = await startLocalService(t, [waiting(stopped.resolve, started.resolve)]);
  const stdio = startStdio(t, dataDir);
  stdio.send({ id: 'slow', ...call('test_waiting') });
  await started.promise;
  stdio.send({ method: 'notifications/cancelled', params: { requestId: 'slow' } });
  assert.equal(((await stopped.promise) as Error).name, 'ClientGone');
  stdio.send({ method: 'notifications/cancelled', params: { requestId: 'unknown' } });
  await stdio.ask(2, 'tools/list');
  await stdio.end();
  assert.deepEqual(
    stdio.said.map(({ id }) => id),
    [2],
  );
});

test('a call of a legacy session is cancelled too', async (t) => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<unknown>();
  const { dataDir } = await startLocalService(t, [waiting(stopped.resolve, started.resolve)]);
  const stdio = startStdio(t, dataDir);
  stdio.send(opening);
  stdio.send({ id: 3, method: 'tools/call', params: { name: 'test_waiting' } });
  await started.promise;
  stdio.send({ method: 'notifications/cancelled', params: { requestId: 3 } });
  await stopped.promise;
  stdio.send({ id: 4, method: 'ping' });
  await stdio.answer(4);
  assert.ok(!stdio.said.some(({ id }) => id === 3));
});

test('progress comes before the answer', async (t) => {
  const { dataDir } = await startLocalService(t, [counting]);
  const stdio = startStdio(t, dataDir);
  await stdio.ask(1, 'tools/call', { name: 'test_counting' });
  assert.deepEqual(
    stdio.said.map(({ id, params }) => id ?? params?.['progress']),
    [1, 2, 3, 1],
  );
});

test('a subscription tells of changes until it is cancelled', async (t) => {
  const { dataDir, service } = await startLocalService(t, [echo]);
  const stdio = startStdio(t, dataDir);
  const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  stdio.send({ id: 'sub', ...listen });
  await stdio.heard(({ method }) => method === 'notifications/subscriptions/acknowledged');
  const add = (id: string) =>
    service.offer.catalogue.add({
      id,
      title: id,
      tools: toolsInMemory([toolOf({ name: `test_${id}` })]),
    });
  add('one');
  const told = await stdio.heard(({ method }) => method === 'notifications/tools/list_changed');
  const meta = told.params?.['_meta'] as Record<string, unknown>;
  assert.equal(meta['io.modelcontextprotocol/subscriptionId'], 'sub');
  stdio.send({ method: 'notifications/cancelled', params: { requestId: 'sub' } });
  await stdio.ask(1, 'tools/list');
  add('two');
  await stdio.ask(2, 'tools/list');
  assert.equal(await stdio.end(), 0);
  assert.deepEqual(
    stdio.said.map(({ id, method }) => id ?? method),
    ['notifications/subscriptions/acknowledged', 'notifications/tools/list_changed', 1, 2],
  );
});

test('no header repeats an argument: stdio has none', async (t) => {
  const region = { type: 'string', 'x-mcp-header': 'Region' } as const;
  const input = { type: 'object', properties: { region }, additionalProperties: false } as const;
  const { dataDir } = await startLocalService(t, [toolOf({ name: 'test_region', input })]);
  const stdio = startStdio(t, dataDir);
  const params = { name: 'test_region', arguments: { region: 'eu' } };
  const { result, error } = await stdio.ask(1, 'tools/call', params);
  assert.equal(error, undefined);
  assert.notEqual(result?.['isError'], true);
});

const asking = toolOf({ name: 'test_asking' }, async (_args, { answers }) => {
  const answer = answers.responses['name'];
  if (!answer) {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
    const params = { mode: 'form', message: 'Who?', requestedSchema } as const;
    throw new InputRequired({ name: { method: 'elicitation/create', params } });
  }
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
});

test('a legacy client is asked by a request, and a modern one by a result', async (t) => {
  const { dataDir } = await startLocalService(t, [asking]);
  const stdio = startStdio(t, dataDir);
  stdio.send(opening);
  stdio.send({ method: 'notifications/initialized' });
  stdio.send({ id: 1, method: 'tools/call', params: { name: 'test_asking' } });
  const question = await stdio.heard(({ method }) => method === 'elicitation/create');
  stdio.send({ id: question.id, result: { action: 'accept', content: { name: 'Ann' } } });
  assert.match(JSON.stringify((await stdio.answer(1)).result), /Ann/);
  const { result } = await stdio.ask(2, 'tools/call', { name: 'test_asking' });
  assert.equal(result?.['resultType'], 'input_required');
});

test('a legacy client hears of changes without having asked', async (t) => {
  const { dataDir, service } = await startLocalService(t, [echo]);
  const stdio = startStdio(t, dataDir);
  stdio.send(opening);
  await stdio.answer('open');
  stdio.send({ method: 'notifications/initialized' });
  stdio.send({ id: 1, method: 'ping' });
  await stdio.answer(1);
  let added = 0;
  const isTold = () =>
    stdio.said.some(({ method }) => method === 'notifications/tools/list_changed');
  // Its stream opens some time after the handshake.
  while (!isTold()) {
    added += 1;
    const tools = toolsInMemory([toolOf({ name: `test_added_${added}` })]);
    service.offer.catalogue.add({ id: `added-${added}`, title: 'Added', tools });
    stdio.send({ id: `ping-${added}`, method: 'ping' });
    await stdio.answer(`ping-${added}`);
  }
});

test('a session that the server has forgotten is opened again, unseen by the client', async (t) => {
  const { dataDir } = await startLocalService(t, [echo], { SERVICE_MCP_SESSION_LIMIT: '1' });
  const first = startStdio(t, dataDir);
  first.send(opening);
  await first.answer('open');
  const second = startStdio(t, dataDir);
  second.send(opening);
  await second.answer('open');
  first.send({ id: 1, method: 'tools/list' });
  assert.ok((await first.answer(1)).result);
  assert.equal(first.said.length, 2);
});

test('without sessions, a legacy client is served all the same', async (t) => {
  const { dataDir } = await startLocalService(t, [echo], { SERVICE_MCP_SESSIONS: 'false' });
  const stdio = startStdio(t, dataDir);
  stdio.send(opening);
  stdio.send({ method: 'notifications/initialized' });
  stdio.send({ id: 1, method: 'ping' });
  assert.deepEqual((await stdio.answer(1)).result, {});
  stdio.send({ id: 9, result: {} });
  assert.equal(await stdio.end(), 0);
  assert.equal(stdio.said.length, 2);
});

test('after the end of its input, it answers what was asked and ends with 0', async (t) => {
  const { dataDir } = await startLocalService(t, [counting]);
  const stdio = startStdio(t, dataDir);
  stdio.send({ id: 'sub', ...modern('subscriptions/listen', { notifications: {} }) });
  await stdio.heard(({ method }) => method === 'notifications/subscriptions/acknowledged');
  stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 1, ...call('test_counting') }));
  assert.equal(await stdio.end(), 0);
  assert.ok((await stdio.answer(1)).result);
});

test('SIGTERM ends it with 0, although a call runs', async (t) => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<unknown>();
  const { dataDir } = await startLocalService(t, [waiting(stopped.resolve, started.resolve)]);
  const stdio = startStdio(t, dataDir);
  stdio.send({ id: 1, ...call('test_waiting') });
  await started.promise;
  stdio.child.kill('SIGTERM');
  assert.equal(await stdio.ended(), 0);
  await stopped.promise;
});

test('SIGTERM ends it although its client reads nothing of what is there for it', async (t) => {
  const most = 40;
  let count = 0;
  const all = Promise.withResolvers<void>();
  const large = toolOf({ name: 'test_large' }, async () => {
    count += 1;
    if (count === most) all.resolve();
    return largeResult;
  });
  const { dataDir } = await startLocalService(t, [large]);
  const stdio = startStdio(t, dataDir);
  await stdio.ask('first', 'tools/list');
  stdio.child.stdout.pause();
  for (let id = 0; id < most; id++) stdio.send({ id, ...call('test_large') });
  await all.promise;
  stdio.child.kill('SIGTERM');
  assert.equal(await stdio.ended(), 0);
});

test('kill -9 of the bridge stops the calls of its client', async (t) => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<unknown>();
  const { dataDir } = await startLocalService(t, [waiting(stopped.resolve, started.resolve)]);
  const stdio = startStdio(t, dataDir);
  stdio.send({ id: 1, ...call('test_waiting') });
  await started.promise;
  stdio.child.kill('SIGKILL');
  assert.equal(((await stopped.promise) as Error).name, 'ClientGone');
});

test('a client that asks for more at once than is allowed is told', async (t) => {
  const { dataDir } = await startLocalService(t, [waiting(() => {})]);
  const stdio = startStdio(t, dataDir);
  for (let id = 0; id <= 1024; id++) stdio.send({ id, ...call('test_waiting') });
  assert.equal((await stdio.answer(1024)).error?.code, -31503);
  stdio.child.kill('SIGTERM');
  assert.equal(await stdio.ended(), 0);
});

test('a client that does not read holds up nothing but itself', async (t) => {
  const large = toolOf({ name: 'test_large' }, async () => largeResult);
  const { dataDir } = await startLocalService(t, [large]);
  const stdio = startStdio(t, dataDir);
  await stdio.ask('first', 'tools/list');
  stdio.child.stdout.pause();
  for (let id = 0; id < 100; id++) stdio.send({ id, ...call('test_large') });
  const other = startStdio(t, dataDir);
  assert.ok((await other.ask(1, 'tools/call', { name: 'test_large' })).result);
  stdio.child.stdout.resume();
  for (let id = 0; id < 100; id++) assert.ok((await stdio.answer(id)).result);
});

test('a server is started where there is none', async (t) => {
  const stdio = startStdio(t, dataFolder(t));
  const { result } = await stdio.ask(1, 'server/discover');
  assert.ok(result?.['supportedVersions'], stdio.log);
});

test('a data directory that is a file: it is said that no server can be started', async (t) => {
  const dataDir = dataFolder(t);
  mkdirSync(dirname(dataDir), { recursive: true });
  writeFileSync(dataDir, '');
  const stdio = startStdio(t, dataDir);
  stdio.send(opening);
  const { error } = await stdio.answer('open');
  assert.equal(error?.code, -31503);
  assert.match(error?.message ?? '', /data directory cannot be used \(EEXIST\)/);
  assert.ok(!error?.message.includes(dirname(dataDir)), error?.message);
});

test('why a server gave up is said without its stack trace', async (t) => {
  const dataDir = dataFolder(t);
  const path = `${dataDir}/server.lock`;
  mkdirSync(path, { recursive: true });
  const stdio = startStdio(t, dataDir);
  const { error } = await stdio.ask(1, 'tools/list');
  assert.equal(error?.code, -31503);
  assert.match(error?.message ?? '', /the server cannot be started: .*; see server\.log/);
  assert.ok(!error?.message.includes('\n'), error?.message);
});

test('everything that is wrong with the configuration of the server reaches the client', async (t) => {
  const env = { SERVICE_PROVIDER: 'gihtub', SERVICE_SECRET_KEY: 'short' };
  const stdio = startStdio(t, dataFolder(t), env);
  const { error } = await stdio.ask(1, 'tools/list');
  assert.equal(error?.code, -31503);
  assert.match(
    error?.message ?? '',
    /2 problems: SERVICE_SECRET_KEY: expected .*; SERVICE_PROVIDER: expected .*"gihtub" was given; see/,
  );
});
