import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mcp } from '../http-bench.ts';
import { compare, processorRow } from '../processor-time.ts';
import type { Row } from '../row.ts';
import { startFlags, startServer } from '../server-process.ts';

/** What tracing one call of ten adds to a `tools/call`, with all that sends the spans. */
export async function tracedCalls(): Promise<Row[]> {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const traced = { TOOLS: '100', OTLP: `http://127.0.0.1:${port}`, TRACE_RATIO: '0.1' };
  const [on, off] = await Promise.all([
    startServer('ours', traced, startFlags),
    startServer('ours', { TOOLS: '100' }, startFlags),
  ]);
  try {
    const load = (url: string) => mcp(url, 'tools/call', 'bench_echo', { text: 'hello', limit: 5 });
    const found = await compare(
      { server: on, load: load(on.url) },
      { server: off, load: load(off.url) },
    );
    return [processorRow('instrumentation on, sampled at 10 %, / off: `tools/call`', 1.15, found)];
  } finally {
    await on.stop();
    await off.stop();
    receiver.closeAllConnections();
    receiver.close();
  }
}
