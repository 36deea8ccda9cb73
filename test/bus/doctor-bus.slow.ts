import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { runCli } from '../runtime/cli/run-cli.ts';
import { serve } from '../runtime/cli/served.ts';
import { openStore } from '../runtime/store/replicas.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { callTool } from '../surfaces/search/search-server.ts';
import { NatsServer, natsServers } from './nats-server.ts';

const doctor = (env: Readonly<Record<string, string>>) => runCli(['doctor', 'bus'], env);

async function startNats(t: TestContext, configuration?: string): Promise<NatsServer> {
  const binary = natsServers['newest'] ?? '';
  const nats = await NatsServer.start({ binary, ...(configuration && { configuration }) });
  t.after(() => nats.stop());
  return nats;
}

test('doctor bus says where the bus is, or that it is off, beside a server that runs', async (t) => {
  const SERVICE_DATA_DIR = temporaryDirectory(t);
  const off = await doctor({ SERVICE_DATA_DIR });
  assert.equal(off.code, 0);
  assert.match(
    off.stdout,
    /^ok +event bus: off; .*\n +-> to switch it on, set SERVICE_ENABLE_BUS=1$/m,
  );

  const env = { SERVICE_DATA_DIR, SERVICE_ENABLE_BUS: '1' };
  const fresh = await doctor(env);
  assert.equal(fresh.code, 0);
  assert.match(fresh.stdout, /^ok +SERVICE_EDGE: not there yet; the first use makes it$/m);

  const { url } = await serve(t, env);
  await callTool(url, 'bus_publish', { event: 'edge.join', data: { worker_id: '1' } });
  const { code, stdout } = await doctor(env);
  assert.equal(code, 0);
  assert.match(stdout, /^ok +event bus: in the store in /m);
  assert.match(stdout, /^ok +SERVICE_EDGE: 1 message, \d+ bytes$/m);
  assert.match(stdout, /^ok +outbox: empty$/m);
  assert.match(stdout, /^no problems found$/m);
});

test('doctor bus says what is wrong with NATS, and what to do', async (t) => {
  const nats = await startNats(t);
  const SERVICE_DATA_DIR = temporaryDirectory(t);
  const env = { SERVICE_DATA_DIR, SERVICE_ENABLE_BUS: '1', SERVICE_BUS_URL: nats.url };
  const store = await openStore(t, { dataDir: SERVICE_DATA_DIR });
  const at = Date.now() - 120_000;
  const row = { tenant: 'default', id: 'old', position: 1, message: '{}', created_at: at };
  await store.db.insertInto('bus_outbox').values(row).execute();
  const refused = 'there is no stream that takes a';
  await store.db
    .insertInto('bus_outbox')
    .values({ ...row, id: 'older', refused })
    .execute();
  await store.close();

  const empty = await doctor(env);
  assert.equal(empty.code, 1);
  assert.match(
    empty.stdout,
    /^advice +NATS keeps the streams in memory.*\n +-> set SERVICE_BUS_PERS/m,
  );
  assert.match(empty.stdout, /^ok +NATS 2\.\d+\.\d+ answers$/m);
  assert.match(
    empty.stdout,
    /^problem +outbox: 1 event set aside: there is no stream that takes a$/m,
  );
  assert.match(
    empty.stdout,
    /^problem +outbox: 1 event, the oldest for 1\d\d s\n +-> they are publ/m,
  );

  const { connect } = await import('nats');
  const connection = await connect({ servers: nats.url });
  t.after(() => connection.close());
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name: 'SERVICE_EDGE', subjects: ['service.edge.*'] });
  await manager.consumers.add('SERVICE_EDGE', {
    durable_name: 'slow',
    ack_policy: 'explicit' as never,
  });
  await manager.streams.add({ name: 'SERVICE_DLQ', subjects: ['service_dlq.>'] });
  await connection.jetstream().publish('service_dlq.a', 'x');
  const { stdout } = await doctor(env);
  assert.match(
    stdout,
    /^problem +the stream SERVICE_EDGE is not as declared: subjects is .*\n +-> the server brings/m,
  );
  assert.match(stdout, /^ok +SERVICE_EDGE, consumer slow: 0 behind, 0 being handled$/m);
  assert.match(stdout, /^advice +1 event could not be handled\n +-> .*bus_dead_letters/m);

  await nats.kill();
  const away = await doctor({ ...env, SERVICE_BUS_URL: nats.url.replace('//', '//me:hunter2@') });
  assert.equal(away.code, 1);
  assert.match(away.stdout, /^problem +NATS cannot be reached: .*\n +-> check SERVICE_BUS_URL/m);
  assert.doesNotMatch(away.stdout + away.stderr, /hunter2/);
});

test('doctor bus says that an account lacks JetStream', async (t) => {
  const nats = await startNats(t, 'accounts { A { users: [{ user: a, password: b }] } }');
  const { code, stdout } = await doctor({
    ...{ SERVICE_DATA_DIR: temporaryDirectory(t), SERVICE_BUS_PERSISTENT: '1' },
    SERVICE_BUS_URL: nats.url.replace('//', '//a:b@'),
  });
  assert.equal(code, 1);
  assert.match(stdout, /^problem +the account cannot use JetStream: .*\n +-> switch it on/m);
  assert.match(stdout, /^advice +agents get no tools for the bus$/m);
});
