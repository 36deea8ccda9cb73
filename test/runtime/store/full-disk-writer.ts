import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createStore } from '../../../runtime/store/index.ts';
import { jobRow } from './job-row.ts';

/** Fills the disk under an open store, makes room, and prints what became of the store. */
const folder = process.argv[2] ?? '';
const dataDir = join(folder, 'data');
const filler = join(folder, 'filler');
const store = createStore({ dataDir });
await store.open();

let committed = 0;
let refusal: unknown;
/** Three rows in one transaction: all or none. */
const addThree = () =>
  store.transaction(async (tx) => {
    for (let part = 0; part < 3; part++) {
      const row = jobRow({ key: `${committed}-${part}`, payload: 'x'.repeat(9000) });
      await tx.insertInto('job').values(row).execute();
    }
  });

fillDisk();
while (refusal === undefined) {
  try {
    await addThree();
    committed += 1;
  } catch (error) {
    refusal = error;
  }
}
const { code, status, message } = refusal as { code: string; status: number; message: string };
const whenFull = await countRows();
const answers = await store.check();
makeRoom();
await addThree();
const later = await countRows();
await store.close();

const again = createStore({ dataDir });
await again.open();
const { rows: sound } = await sql`pragma integrity_check`.execute(again.db);
await again.close();
const startFailure = await startOnFullDisk();
const room = { whenFull, later, answers, integrity: Object.values(sound[0] ?? {})[0] };
process.stdout.write(JSON.stringify({ committed, code, status, message, ...room, startFailure }));

async function countRows(): Promise<number> {
  return (await store.db.selectFrom('job').select('key').execute()).length;
}

/** Leaves 800 KiB of the whole, to be used up by what the store writes. */
function fillDisk(): void {
  if (process.env['SMALL_DISK'] === 'tmpfs') fill(1_200_000);
}

function fill(bytes: number): void {
  const file = openSync(filler, 'a');
  try {
    for (let done = 0; done < bytes; done += 4096) writeSync(file, Buffer.alloc(4096));
  } finally {
    closeSync(file);
  }
}

function makeRoom(): void {
  if (process.env['SMALL_DISK'] === 'tmpfs') rmSync(filler);
  else setFileLimit('unlimited');
}

function setFileLimit(limit: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${limit}:`]);
}

/** A new store where there is no room for anything. */
async function startOnFullDisk(): Promise<string> {
  try {
    if (process.env['SMALL_DISK'] === 'tmpfs') fill(4_000_000);
    else setFileLimit('0');
  } catch {
    // Full, as is wanted.
  }
  try {
    await createStore({ dataDir: join(folder, 'other') }).open();
    return 'none';
  } catch (error) {
    return String(error);
  } finally {
    if (process.env['SMALL_DISK'] === 'limit') setFileLimit('unlimited');
  }
}
