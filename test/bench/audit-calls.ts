import { join } from 'node:path';
import { type Load, run } from './load.ts';
import { median, type Row } from './row.ts';
import { startServer } from './server-process.ts';

const pairs = 5;

/** What an entry that nobody waits for adds to a `tools/call`. */
export async function auditedCalls(folder: string): Promise<Row[]> {
  const plain = await startServer('ours', { TOOLS: '100' });
  const audited = await startServer('ours', { TOOLS: '100', AUDIT: join(folder, 'calls') });
  try {
    await run(callOf(plain.url), 1);
    await run(callOf(audited.url), 1);
    const rates: number[] = [];
    const latencies: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const without = await run(callOf(plain.url), 2);
      const with_ = await run(callOf(audited.url), 2);
      rates.push(with_.requestsPerSecond / without.requestsPerSecond);
      latencies.push(with_.p99 / without.p99);
    }
    return [
      ratioRow(
        '`tools/call` that writes an audit entry / without, throughput',
        median(rates),
        0.95,
      ),
      ratioRow('the same, p99', median(latencies), undefined),
    ];
  } finally {
    await plain.stop();
    await audited.stop();
  }
}

function ratioRow(what: string, ratio: number, least: number | undefined): Row {
  return {
    what,
    target: least === undefined ? 'at most 1.50' : `at least ${least.toFixed(2)}`,
    measured: ratio.toFixed(2),
    met: least === undefined ? ratio <= 1.5 : ratio >= least,
    detail: '',
  };
}

function callOf(url: string): Load {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'bench_echo', arguments: { text: 'hello', limit: 5 }, _meta };
  return {
    url,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'bench_echo',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}
