import { parentPort, workerData } from 'node:worker_threads';
import type {
  ReadAnswer,
  ReadArguments,
  ReadMethod,
  ReadRequest,
  ReadResult,
} from '../sqlite/reader-thread.ts';
import { openPool, reasonOf } from './connection.ts';
import { PostgresLogReader } from './log-reader.ts';
import type { KnownLog } from './logs.ts';
import { verifyDatabase } from './verify-database.ts';

/** What the reader thread is started with. */
export interface PostgresReaderData {
  readonly url: string;
  readonly log: KnownLog;
}

type Reads = {
  [M in ReadMethod]: (...args: ReadArguments<M>) => Promise<Awaited<ReadResult<M>>>;
};

function readsOf({ url, log }: PostgresReaderData): Reads {
  const reader = new PostgresLogReader(openPool(url), log.id);
  return Object.assign(reader, {
    verify: (vkeys: string, outside: readonly string[]) =>
      verifyDatabase(url, { log: log.id, vkeys, outside }),
  });
}

async function answer(reads: Reads, { id, method, args }: ReadRequest): Promise<ReadAnswer> {
  try {
    // The caller's types are those of the method.
    const read = reads[method] as (...args: readonly never[]) => Promise<unknown>;
    return { id, value: await read.apply(reads, [...args]) };
  } catch (error) {
    return { id, failure: reasonOf(error) };
  }
}

if (parentPort !== null) {
  const port = parentPort;
  // Started by the log alone, with the data of this type.
  const reads = readsOf(workerData as PostgresReaderData);
  port.on('message', async (request: ReadRequest) =>
    port.postMessage(await answer(reads, request)),
  );
}
