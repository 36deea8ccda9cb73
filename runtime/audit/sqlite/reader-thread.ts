import { parentPort, workerData } from 'node:worker_threads';
import { verifyPath } from '../verify/verify-files.ts';
import { LogReader } from './log-reader.ts';
import { openForReading } from './schema.ts';

type Reads = LogReader & {
  verify(vkey: string, outside: readonly string[]): ReturnType<typeof verifyPath>;
};
export type ReadMethod = keyof Reads;
export type ReadArguments<M extends ReadMethod> = Parameters<Reads[M]>;
export type ReadResult<M extends ReadMethod> = ReturnType<Reads[M]>;

export interface ReadRequest {
  readonly id: number;
  readonly method: ReadMethod;
  readonly args: readonly never[];
}

export interface ReadAnswer {
  readonly id: number;
  readonly value?: unknown;
  readonly failure?: string;
}

let reader: LogReader | undefined;

function answer({ id, method, args }: ReadRequest): ReadAnswer {
  const path = String(workerData);
  try {
    if (method === 'verify') {
      const [vkey, outside] = args as readonly unknown[] as ReadArguments<'verify'>;
      return { id, value: verifyPath(path, vkey, outside) };
    }
    reader ??= new LogReader(openForReading(path));
    // The caller's types are those of the method.
    const read = reader[method] as (...args: readonly never[]) => unknown;
    return { id, value: read.apply(reader, [...args]) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(answer(request)));
