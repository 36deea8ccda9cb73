import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { LogRow } from '../../../runtime/surfaces/observability/query/answers/rows.ts';
import { mergeLogs } from '../../../runtime/surfaces/observability/query/merge/merge-logs.ts';
import { answered, federationOf } from '../../surfaces/observability/query/federation.ts';
import { median, type Row } from '../row.ts';
import { type Store, startStores } from './log-stores.ts';

const rounds = 15;

/** Federated queries: what they take beyond their slowest back end, merging, and tokens. */
export async function queryBench(): Promise<Row[]> {
  return [await overheadRow(), mergeRow(), ...(await tokenRows())];
}

/** Five back ends on loopback that take their time, 1,000 rows each. */
async function overheadRow(): Promise<Row> {
  const { stores, stop } = await startStores({ count: 5, rows: 1000, delayMs: 200 });
  try {
    const { ask } = federationOf('log', stores.map(backEndOf));
    const timeRange = { startMs: 1_789_997_000_000, endMs: 1_790_000_000_001 };
    const asked = {
      filter: { service: 'checkout' },
      timeRange,
      selection: { mode: 'all' },
    } as const;
    const slowest = async () => {
      const times = await Promise.all(stores.map(({ url }) => timeOf(() => read(url))));
      return Math.max(...times);
    };
    const overheads: number[] = [];
    const bases: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const base = await slowest();
      const whole = await timeOf(() => ask({ ...asked, limit: 1000, maxBytes: 262_144 }));
      bases.push(base);
      overheads.push(whole - base);
    }
    const [over, base] = [median(overheads), median(bases)];
    return {
      what: 'federated query over 5 loopback back ends, merge of 5,000 rows: beyond the slowest',
      target: 'at most 15 % and 20 ms',
      measured: `${over.toFixed(1)} ms (${((100 * over) / base).toFixed(1)} %)`,
      met: over <= 20 && over / base <= 0.15,
      detail: `median of ${rounds} pairs; each back end takes 200 ms and gives 1,000 lines, of which the page holds the newest 1,000; the slowest of five plain requests takes ${base.toFixed(0)} ms`,
    };
  } finally {
    await stop();
  }
}

function backEndOf({ url }: Store, index: number) {
  return {
    ...{ id: `store-${index}`, kind: 'loki' },
    answers: async () => answered(await (await fetch(url)).text()),
  };
}

async function read(url: string): Promise<void> {
  await (await fetch(url)).text();
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Five lists of lines, of which a tenth stands in two of them. */
function mergeRow(): Row {
  const perSource = 100_000;
  const count = 5;
  const sources = Array.from({ length: count }, (_, source) => ({
    ...{ providerId: `p${source}`, isCut: false },
    rows: Array.from({ length: perSource }, (_, index): LogRow => {
      const isShared = index % 10 === 0;
      const at = BigInt(perSource - index) * 10n + (isShared ? 0n : BigInt(source + 1));
      const none = { severity: undefined, traceId: undefined, spanId: undefined, attributes: {} };
      return { timestamp: at, body: `line ${index}`, service: 'checkout', ...none };
    }),
  }));
  const merge = { direction: 'backward', dedup: true, skip: [] } as const;
  const rates: number[] = [];
  const limit = count * perSource;
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    const { rows, dropped } = mergeLogs(sources, { ...merge, limit });
    rates.push((rows.length + dropped) / ((performance.now() - begun) / 1000));
  }
  const rate = median(rates);
  const page = mergeLogs(sources, { ...merge, limit: 1000 });
  return {
    what: 'merge throughput, log rows',
    target: 'at least 500,000 rows/s, memory bounded by the page',
    measured: `${Math.round(rate).toLocaleString('en')} rows/s`,
    met: rate >= 500_000 && page.rows.length === 1000,
    detail: `five lists of ${perSource.toLocaleString('en')} lines, a tenth of them in all five; a page of 1,000 keeps 1,000`,
  };
}

/** What an agent reads of 100 lines, against what their back end says itself. */
async function tokenRows(): Promise<Row[]> {
  const { stores, stop } = await startStores({ count: 1, rows: 100, delayMs: 0 });
  try {
    const [store] = stores;
    const own = await (await fetch(store?.url ?? '')).text();
    const { ask } = federationOf('log', stores.map(backEndOf));
    const timeRange = { startMs: 1_789_997_000_000, endMs: 1_790_000_000_001 };
    const asked = { filter: { service: 'checkout' }, timeRange, limit: 100 } as const;
    const tokens = encode(own).length;
    const csv = encode(JSON.stringify(await ask({ ...asked, format: 'csv' }))).length;
    const summary = encode(JSON.stringify(await ask({ ...asked, format: 'summary' }))).length;
    return [
      {
        what: "tokens of an answer of 100 log rows against the back end's own JSON",
        target: 'at most 0.4',
        measured: (csv / tokens).toFixed(2),
        met: csv / tokens <= 0.4,
        detail: `${csv} tokens (o200k) as the tool answers by default, with its provider, cursor and warnings, against ${tokens} of Loki, whose lines come over OTLP with trace ids, pod and host; a summary has ${summary}`,
      },
    ];
  } finally {
    await stop();
  }
}
