import { join } from 'node:path';
import { mcp } from './http-bench.ts';
import { run } from './load.ts';
import { median, type Row } from './row.ts';
import { type ServerProcess, startFlags, startServer } from './server-process.ts';

const pairs = 15;

interface Measured {
  /** Processor time of the main thread for a call, in microseconds. */
  readonly time: number;
  /** Milliseconds. */
  readonly p99: number;
  readonly requestsPerSecond: number;
}

/** What an entry that nobody waits for adds to a `tools/call`. */
export async function auditedCalls(folder: string): Promise<Row[]> {
  const plain = await startServer('ours', { TOOLS: '100' }, startFlags);
  const env = { TOOLS: '100', AUDIT: join(folder, 'calls') };
  const audited = await startServer('ours', env, startFlags);
  try {
    await measure(plain);
    await measure(audited);
    const without: Measured[] = [];
    const withEntry: Measured[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      // In turn, and each of them first as often as the other.
      const first = pair % 2 === 0;
      if (first) without.push(await measure(plain));
      withEntry.push(await measure(audited));
      if (!first) without.push(await measure(plain));
    }
    return rows(without, withEntry);
  } finally {
    await plain.stop();
    await audited.stop();
  }
}

/** Call for a second; the load and the thread that writes entries share the cores with the server. */
async function measure(server: ServerProcess): Promise<Measured> {
  const before = await server.mainThreadTime();
  const load = mcp(server.url, 'tools/call', 'bench_echo', { text: 'hello', limit: 5 });
  const { count, p99, requestsPerSecond } = await run(load, 1);
  return { time: ((await server.mainThreadTime()) - before) / count, p99, requestsPerSecond };
}

function rows(without: readonly Measured[], withEntry: readonly Measured[]): Row[] {
  const both = (of: (measured: Measured) => number) => ({
    plain: median(without.map(of)),
    audited: median(withEntry.map(of)),
    ratio: median(withEntry.map((each, pair) => of(each) / of(without[pair] ?? each))),
  });
  const time = both((each) => each.time);
  const p99 = both((each) => each.p99);
  const rate = both((each) => each.requestsPerSecond);
  return [
    atMost(
      'processor time of the main thread for a `tools/call` that writes an audit entry / without',
      1.1,
      time.ratio,
      `${time.audited.toFixed(1)} and ${time.plain.toFixed(1)} µs; throughput ${rate.ratio.toFixed(2)}, the writer and the load sharing the cores`,
    ),
    atMost(
      'the same, p99 of the time to the answer',
      1.3,
      p99.ratio,
      `${p99.audited.toFixed(2)} and ${p99.plain.toFixed(2)} ms`,
    ),
  ];
}

function atMost(what: string, most: number, ratio: number, detail: string): Row {
  const target = `at most ${most.toFixed(2)}`;
  return { what, target, measured: ratio.toFixed(2), met: ratio <= most, detail };
}
