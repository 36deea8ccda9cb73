import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createStore } from '../../runtime/store/index.ts';
import { busContract } from './contract.ts';
import { embeddedBus } from './embedded.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'bus-'));
const store = createStore({ dataDir });
await store.open();
after(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

const tables = ['bus_stream', 'bus_message', 'bus_consumer', 'bus_pending', 'bus_outbox'] as const;

busContract(
  'embedded bus on SQLite',
  // One database for all of them, empty for each: to make one takes longer than to test.
  embeddedBus(async () => {
    for (const table of tables) await store.db.deleteFrom(table).execute();
    return { options: { dataDir }, replicas: async (count) => Array(count).fill(store) };
  }),
);
