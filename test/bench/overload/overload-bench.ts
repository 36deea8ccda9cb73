import { setTimeout as sleep } from 'node:timers/promises';
import { mcp } from '../http-bench.ts';
import { type Load, run } from '../load.ts';
import type { Row } from '../row.ts';
import { type ServerProcess, startFlags, startServer } from '../server-process.ts';
import { type OfferedLoad, type OfferedResult, offer, wireRequest } from './offered-load.ts';

const overloadSeconds = 60;
const connections = 1000;

/**
 * Three times what the server can do, for a minute, and then what it can do, for `soakSeconds`:
 * what is accepted, how long it takes, what goes wrong, and whether memory grows.
 */
export async function overloadBench(soakSeconds: number): Promise<Row[]> {
  const server = await startServer('ours', { TOOLS: '100' }, startFlags);
  try {
    const load = mcp(server.url, 'tools/call', 'bench_echo', { text: 'hello', limit: 5 });
    await run(load, 2);
    const { requestsPerSecond } = await run(load, 5);
    return [
      ...(await overloadRows(server, load, requestsPerSecond)),
      ...(await soakRows(server, load, requestsPerSecond, soakSeconds)),
    ];
  } finally {
    await server.stop();
  }
}

async function overloadRows(server: ServerProcess, load: Load, capacity: number): Promise<Row[]> {
  const url = new URL(server.url);
  const request = wireRequest(url, load);
  const base = { url, request, mostConnections: connections, seconds: overloadSeconds };
  const few = { ...base, perSecond: capacity, seconds: 10, mostConnections: 16 };
  const alone = await timed(server, few);
  const over = await timed(server, { ...base, perSecond: capacity * 3 });
  // The load comes from the same cores: what counts is the processor time of the server.
  const kept = alone.perAccepted / over.perAccepted;
  const { '200': accepted = 0, '503': refused = 0, ...others } = over.outcomes;
  const wrong = Object.values(others).reduce((sum, count) => sum + count, 0);
  const { p99 } = over.accepted;
  return [
    {
      what: `three times what it can do, ${overloadSeconds} s, ${connections} connections: throughput that is left`,
      target: 'at least 0.80',
      measured: kept.toFixed(2),
      met: kept >= 0.8,
      detail: `${over.perAccepted.toFixed(0)} µs of processor time for each that is accepted, ${alone.perAccepted.toFixed(0)} alone; ${accepted} accepted, ${refused} refused; the server had ${over.share}, the load ${over.shareOfLoad} of a core`,
    },
    {
      what: 'the same, p99 of what is accepted',
      target: 'below 1,000 ms',
      measured: `${p99.toFixed(0)} ms`,
      met: p99 < 1000,
      detail: `median ${over.accepted.p50.toFixed(0)} ms`,
    },
    {
      what: 'the same, neither answered nor refused',
      target: '0',
      measured: String(wrong),
      met: wrong === 0,
      detail: wrong === 0 ? '' : JSON.stringify(others),
    },
  ];
}

interface Timed extends OfferedResult {
  /** Processor time of the server for each answer with status 200, refusals included, in microseconds. */
  readonly perAccepted: number;
  /** Of one core. */
  readonly share: string;
  readonly shareOfLoad: string;
}

async function timed(server: ServerProcess, load: OfferedLoad): Promise<Timed> {
  const [before, ownBefore] = [await server.processorTime(), process.cpuUsage()];
  const result = await offer(load);
  const used = (await server.processorTime()) - before;
  const { user, system } = process.cpuUsage(ownBefore);
  const share = (microseconds: number) => (microseconds / 1e6 / result.seconds).toFixed(2);
  const perAccepted = used / (result.outcomes['200'] ?? 0);
  return { ...result, perAccepted, share: share(used), shareOfLoad: share(user + system) };
}

async function soakRows(
  server: ServerProcess,
  load: Load,
  capacity: number,
  seconds: number,
): Promise<Row[]> {
  const url = new URL(server.url);
  const request = wireRequest(url, load);
  const samples: { readonly at: number; readonly megabytes: number }[] = [];
  let goesOn = true;
  const watch = async () => {
    while (goesOn) {
      samples.push({ at: performance.now() / 60_000, megabytes: await server.residentMemory() });
      await sleep(1000);
    }
  };
  const watching = watch();
  const soak = await offer({ url, request, perSecond: capacity / 2, mostConnections: 64, seconds });
  goesOn = false;
  await watching;
  // What it takes at first says nothing of what it goes on to take.
  const slope = slopeOf(samples.slice(Math.floor(samples.length / 3)));
  const { '200': accepted = 0, ...others } = soak.outcomes;
  const wrong = Object.values(others).reduce((sum, count) => sum + count, 0);
  return [
    {
      what: `half of what it can do, ${seconds} s: memory that is added`,
      target: 'at most 1 MB/min',
      measured: `${slope.toFixed(2)} MB/min`,
      met: slope <= 1,
      detail: `${accepted} answered, ${wrong} not; p99 ${soak.accepted.p99.toFixed(0)} ms`,
    },
  ];
}

/** Megabytes in a minute, by least squares. */
function slopeOf(samples: readonly { readonly at: number; readonly megabytes: number }[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = mean(samples.map((sample) => sample.at));
  const megabytes = mean(samples.map((sample) => sample.megabytes));
  const above = samples.reduce((sum, s) => sum + (s.at - at) * (s.megabytes - megabytes), 0);
  const below = samples.reduce((sum, s) => sum + (s.at - at) ** 2, 0);
  return above / below;
}
