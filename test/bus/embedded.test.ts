import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { createStore } from '../../runtime/store/index.ts';
import { sqliteDatabase } from '../runtime/store/replicas.ts';
import { runOnSmallDisk } from '../runtime/store/small-disk.ts';
import { busContract } from './contract/bus-contract.ts';
import { busModel } from './contract/bus-model.ts';
import { Collected } from './contract/collected.ts';
import { outboxContract } from './contract/outbox-contract.ts';
import { deadLetters, stream } from './contract/streams.ts';
import { embeddedBus } from './embedded.ts';
import { startReplicas } from './running-bus.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'bus-'));
const store = createStore({ dataDir });
await store.open();
after(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

const tables = ['bus_stream', 'bus_message', 'bus_consumer', 'bus_pending', 'bus_outbox'] as const;

// One database for all of them, empty for each: to make one takes longer than to test.
const make = embeddedBus(async () => {
  for (const table of tables) await store.db.deleteFrom(table).execute();
  return { options: { dataDir }, replicas: async (count) => Array(count).fill(store) };
});
busContract('embedded bus on SQLite', make);
busModel('embedded bus on SQLite', make, 20);
outboxContract('embedded bus on SQLite', (t, count) =>
  startReplicas(t, { database: sqliteDatabase, count }),
);

test('a stream that somebody deletes goes on behind all that there was', async (t) => {
  const [driver] = await make(t, [stream(), deadLetters]);
  assert.ok(driver);
  const publish = (data: string) => driver.publish({ subject: 'test.a', tenant: 'default', data });
  const got = new Collected();
  const consumer = { stream: 'TEST', name: 'test_reader' };
  const running = await driver.consume(consumer, async (delivery) => got.add(delivery));
  for (const text of ['1', '2', '3']) await publish(text);
  await got.until(3);
  await store.db.deleteFrom('bus_stream').where('tenant', '=', 'default').execute();
  assert.equal((await publish('4')).sequence, 4);
  await got.until(4);
  await store.db.deleteFrom('bus_message').where('tenant', '=', 'default').execute();
  await store.db.deleteFrom('bus_stream').where('tenant', '=', 'default').execute();
  assert.equal((await publish('5')).sequence, 5);
  await got.until(5);
  await running.stop();
  assert.deepEqual(got.texts, ['1', '2', '3', '4', '5']);
});

test('a full disk refuses, and loses nothing that it has acknowledged', (t) => {
  const program = join(import.meta.dirname, 'full-disk-publisher.ts');
  const { code, status, again, kept, acknowledged, handled } = runOnSmallDisk(t, program);
  assert.deepEqual([code, status], ['bus_unavailable', 503]);
  assert.equal(again, false);
  assert.ok(Number(acknowledged) > 1);
  assert.deepEqual([kept, handled], [acknowledged, acknowledged]);
});
