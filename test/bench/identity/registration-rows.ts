import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row } from '../row.ts';
import { type ServerProcess, startFlags, startServer } from '../server-process.ts';
import { fillStore } from './many-registrations.ts';

const few = 1000;
const many = 1_000_000;
const pairs = 11;
const lookups = 4000;

/** What it takes to find one registration among very many, and the memory of whoever does. */
export async function registrationRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'registrations-bench-'));
  try {
    const small = await serverOver(join(folder, 'few'), few);
    const large = await serverOver(join(folder, 'many'), many);
    try {
      return await rows(small, large);
    } finally {
      await small.stop();
      await large.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function serverOver(dataDir: string, count: number): Promise<ServerProcess> {
  await fillStore(dataDir, count);
  const env = { SERVICE_DATA_DIR: dataDir, COUNT: String(count) };
  return startServer('../identity/servers/registrations', env, startFlags);
}

async function rows(small: ServerProcess, large: ServerProcess): Promise<Row[]> {
  for (const server of [small, large]) await time(server);
  const before = [await small.residentMemory(), await large.residentMemory()] as const;
  const samples: { readonly small: number; readonly large: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    samples.push({ small: await time(small), large: await time(large) });
  }
  const after = [await small.residentMemory(), await large.residentMemory()] as const;
  const ratio = median(samples.map((sample) => sample.large / sample.small));
  const times = [median(samples.map((each) => each.large)), median(samples.map((e) => e.small))];
  const memory = after[1] / after[0];
  return [
    {
      what: 'finding a registration among 1,000,000 / among 1,000, processor time',
      target: 'at most 1.20',
      measured: ratio.toFixed(2),
      met: ratio <= 1.2,
      detail: `${times.map((each) => each?.toFixed(0)).join(' / ')} µs, by id and by claim token`,
    },
    {
      what: 'the same, resident memory',
      target: 'flat: at most 1.15',
      measured: memory.toFixed(2),
      met: memory <= 1.15,
      detail: `${after[1].toFixed(0)} / ${after[0].toFixed(0)} MB after ${pairs * lookups} lookups, ${before[1].toFixed(0)} / ${before[0].toFixed(0)} MB before them`,
    },
  ];
}

/** Microseconds of processor time of one lookup. */
async function time(server: ServerProcess): Promise<number> {
  const before = await server.processorTime();
  const answer = await fetch(`${server.url}/${lookups}`);
  if ((await answer.text()) !== 'found') throw new Error('a registration was not found');
  return ((await server.processorTime()) - before) / lookups;
}
