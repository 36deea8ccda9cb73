import autocannon from 'autocannon';
import type { Shop } from '../../payments/shop.ts';
import { median, type Row } from '../row.ts';
import { startFlags, startServer } from '../server-process.ts';

const seconds = 2;
const pairs = 5;
const body = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'service_status', arguments: { text: 'hello' } },
});

/** Answers that say how to pay, beside a bare server that answers a call. */
export async function challengeRow(shop: Shop): Promise<Row> {
  const fastify = await startServer('fastify', {}, startFlags);
  const ours = body.replace('{"text":"hello"}', '{}');
  const ratios: number[] = [];
  const rates: number[] = [];
  try {
    await rate(shop.url.href, ours);
    for (let pair = 0; pair < pairs; pair += 1) {
      const theirs = await rate(`${fastify.url}/call`, body);
      const found = await rate(shop.url.href, ours);
      ratios.push(found / theirs);
      rates.push(found);
    }
  } finally {
    await fastify.stop();
  }
  const ratio = Math.max(...ratios);
  return {
    what: '402 answers per second with fresh challenges / bare Fastify',
    target: 'at least 0.6',
    measured: ratio.toFixed(2),
    met: ratio >= 0.6,
    detail: `the best of ${pairs} pairs over MCP, ${Math.round(median(rates)).toLocaleString('en')}/s; no row, no memory for who does not pay`,
  };
}

async function rate(url: string, text: string): Promise<number> {
  const result = await autocannon({
    ...{ url, method: 'POST', body: text, connections: 16, duration: seconds },
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} failed`);
  return result.requests.average;
}
