import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { serve } from '../cli/served.ts';
import { slowVendor } from '../cli/slow-vendor.ts';
import { dataFolder, gone, serverOf } from './data-folder.ts';
import { modern, startStdio } from './stdio-process.ts';

// Real processes: bridges, the server that one of them starts, and `serve`.

const osvGet = modern('tools/call', { name: 'osv_get', arguments: { id: 'X-1' } });

function serverIn(dataDir: string): number {
  return serverOf(dataDir) ?? assert.fail('nobody says that they serve it');
}

test('clients that start at once share one server, which ends with the last of them', async (t) => {
  const dataDir = dataFolder(t);
  const clients = [1, 2, 3].map(() => startStdio(t, dataDir));
  const lists = await Promise.all(clients.map((client) => client.ask(1, 'tools/list')));
  for (const { result } of lists) assert.deepEqual(result, lists[0]?.result);
  const server = serverIn(dataDir);
  for (const client of clients) assert.match(client.log, new RegExp(`"pid":${server}\\b`));
  const [first, ...others] = clients;
  assert.equal(await first?.end(), 0);
  for (const client of others) {
    assert.ok((await client.ask(2, 'tools/list')).result);
    assert.equal(await client.end(), 0);
  }
  await gone(server);
  const left = readdirSync(dataDir);
  assert.ok(!left.includes('server.json') && !left.includes('server.sock'), left.join());
});

test('nobody else can reach the server', async (t) => {
  const dataDir = dataFolder(t);
  const stdio = startStdio(t, dataDir);
  await stdio.ask(1, 'tools/list');
  for (const name of ['server.sock', 'server.json', 'server.log']) {
    assert.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600, name);
  }
});

test('a data directory may have a path that is too long for a socket', async (t) => {
  const dataDir = dataFolder(t, 'long'.repeat(20), 'path'.repeat(20));
  const stdio = startStdio(t, dataDir);
  assert.ok((await stdio.ask(1, 'tools/list')).result);
  const other = startStdio(t, dataDir);
  assert.ok((await other.ask(1, 'tools/list')).result);
  const server = serverIn(dataDir);
  const { socket } = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'));
  assert.ok(Buffer.byteLength(socket) <= 100);
  assert.equal(statSync(dirname(socket)).mode & 0o777, 0o700);
  await Promise.all([stdio.end(), other.end()]);
  await gone(server);
  assert.throws(() => statSync(dirname(socket)), { code: 'ENOENT' });
});

test('when the server is killed, calls fail and the next one finds a new server', async (t) => {
  const vendor = await slowVendor(t);
  const dataDir = dataFolder(t);
  const stdio = startStdio(t, dataDir, vendor.env);
  stdio.send({ id: 1, ...osvGet });
  await vendor.asked;
  const server = serverIn(dataDir);
  process.kill(server, 'SIGKILL');
  const { error } = await stdio.answer(1);
  assert.equal(error?.code, -31502);
  assert.match(error?.message ?? '', /whether this took effect is unknown/);
  assert.ok(statSync(join(dataDir, 'server.sock')).isSocket(), 'what it left is there');
  assert.ok((await stdio.ask(2, 'tools/list')).result);
  assert.notEqual(serverIn(dataDir), server);
});

test('a server waits for the calls of a client that was killed no longer', async (t) => {
  const vendor = await slowVendor(t);
  const dataDir = dataFolder(t);
  const stdio = startStdio(t, dataDir, vendor.env);
  stdio.send({ id: 1, ...osvGet });
  await vendor.asked;
  const server = serverIn(dataDir);
  stdio.child.kill('SIGKILL');
  await vendor.left;
  await gone(server);
});

test('stdio clients use the server that runs already, and outlive it', async (t) => {
  const dataDir = dataFolder(t);
  const { child } = await serve(t, { SERVICE_DATA_DIR: dataDir, SERVICE_PROVIDER: 'osv' });
  const stdio = startStdio(t, dataDir);
  assert.ok((await stdio.ask(1, 'tools/list')).result);
  assert.equal(serverIn(dataDir), child.pid);
  child.kill('SIGTERM');
  await once(child, 'exit');
  assert.ok((await stdio.ask(2, 'tools/list')).result);
  assert.notEqual(serverIn(dataDir), child.pid);
});

test('a server that a client has started makes room for `serve`, after its calls', async (t) => {
  const vendor = await slowVendor(t);
  const dataDir = dataFolder(t);
  const stdio = startStdio(t, dataDir, vendor.env);
  stdio.send({ id: 1, ...osvGet });
  await vendor.asked;
  const before = serverIn(dataDir);
  const serving = serve(t, { ...vendor.env, SERVICE_DATA_DIR: dataDir });
  while (serverOf(dataDir) === before) await once(stdio.child.stderr, 'data');
  vendor.answer();
  assert.ok((await stdio.answer(1)).result);
  const { child } = await serving;
  assert.ok((await stdio.ask(2, 'tools/list')).result);
  assert.equal(serverIn(dataDir), child.pid);
});

test('a second `serve` is refused, and the first one stays', async (t) => {
  const dataDir = dataFolder(t);
  const env = { SERVICE_DATA_DIR: dataDir, SERVICE_PROVIDER: 'osv' };
  const first = await serve(t, env);
  await assert.rejects(serve(t, env), /uses the data directory|another process/);
  assert.equal(serverIn(dataDir), first.child.pid);
});

test('why no server can be started is said to the client, which may try again', async (t) => {
  const dataDir = dataFolder(t);
  mkdirSync(join(dataDir, 'audit.sqlite'), { recursive: true });
  const stdio = startStdio(t, dataDir);
  for (const id of [1, 2]) {
    const { error } = await stdio.ask(id, 'tools/list');
    assert.equal(error?.code, -31503);
    assert.match(error?.message ?? '', /the server cannot be started: .*audit log/s);
  }
  assert.equal(await stdio.end(), 0);
});

test('a configuration that cannot be used ends the command before anything is started', async (t) => {
  const dataDir = dataFolder(t);
  const stdio = startStdio(t, dataDir, { SERVICE_CALL_TIMEOUT: 'soon' });
  assert.equal(await stdio.ended(), 78);
  assert.match(stdio.log, /SERVICE_CALL_TIMEOUT: expected/);
  assert.deepEqual(stdio.said, []);
});

test('a file of another user or of none is not believed', async (t) => {
  const dataDir = dataFolder(t);
  mkdirSync(dataDir, { recursive: true });
  const socket = join(dataDir, 'nothing.sock');
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ socket, pid: 1, version: '1' }));
  const stdio = startStdio(t, dataDir);
  assert.ok((await stdio.ask(1, 'tools/list')).result);
});

test('a server that takes connections and never answers does not hold the bridge for ever', async (t) => {
  const dataDir = dataFolder(t);
  mkdirSync(dataDir, { recursive: true });
  const socket = join(dataDir, 'mute.sock');
  const mute = createServer().listen(socket);
  await once(mute, 'listening');
  const held: Socket[] = [];
  mute.on('connection', (connection) => held.push(connection));
  t.after(() => {
    for (const connection of held) connection.destroy();
    mute.close();
  });
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ socket, pid: 1, version: '1' }));
  const stdio = startStdio(t, dataDir);
  assert.ok((await stdio.ask(1, 'tools/list')).result);
});
