import { type Load, run } from './load.ts';
import { median, type Row } from './row.ts';
import type { ServerProcess } from './server-process.ts';

/** A server under a load. */
export interface Side {
  readonly server: Pick<ServerProcess, 'processorTime'>;
  readonly load: Load;
}

/** One server beside another: medians of pairs. */
export interface Comparison {
  /** Processor time for each request; the second server's is 1. */
  readonly processor: number;
  /** In microseconds. */
  readonly ours: number;
  readonly theirs: number;
  /** Requests per second; the second server's is 1. */
  readonly throughput: number;
  readonly perSecond: number;
}

const seconds = 1;
const pairs = 11;

/**
 * Compare what two servers take for each request, in turn, so that a machine that slows down slows
 * both. It is their processor time that counts, of all threads: the load comes from this machine,
 * and takes more of it the faster a server is.
 */
export async function compare(ours: Side, theirs: Side): Promise<Comparison> {
  await run(ours.load, 2);
  await run(theirs.load, 2);
  const samples: { readonly a: Sample; readonly b: Sample }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    samples.push({ a: await sample(ours), b: await sample(theirs) });
  }
  return {
    processor: median(samples.map(({ a, b }) => a.microseconds / b.microseconds)),
    ours: median(samples.map(({ a }) => a.microseconds)),
    theirs: median(samples.map(({ b }) => b.microseconds)),
    throughput: median(samples.map(({ a, b }) => a.perSecond / b.perSecond)),
    perSecond: median(samples.map(({ a }) => a.perSecond)),
  };
}

/** A row that has a limit for the processor time, and tells the rest. */
export function processorRow(what: string, limit: number, found: Comparison, more = ''): Row {
  const { processor, ours, theirs, throughput, perSecond } = found;
  const rate = `${throughput.toFixed(2)} (${Math.round(perSecond).toLocaleString('en')}/s)`;
  return {
    what: `${what}, processor time`,
    target: `at most ${limit.toFixed(2)}`,
    measured: processor.toFixed(2),
    met: processor <= limit,
    detail: `${ours.toFixed(0)} / ${theirs.toFixed(0)} µs, throughput ${rate}${more}`,
  };
}

interface Sample {
  readonly microseconds: number;
  readonly perSecond: number;
}

async function sample({ server, load }: Side): Promise<Sample> {
  const before = await server.processorTime();
  const { count, requestsPerSecond } = await run(load, seconds);
  const used = (await server.processorTime()) - before;
  return { microseconds: used / count, perSecond: requestsPerSecond };
}
