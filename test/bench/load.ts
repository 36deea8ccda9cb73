import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';

/** What to send: one request, over and over. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Requests that were answered. */
  readonly count: number;
  /** Milliseconds. */
  readonly p99: number;
}

const connections = 16;

/** Send `load` for `seconds` over 16 connections; any answer but 200 ends the benchmark. */
export async function run(load: Load, seconds: number): Promise<LoadResult> {
  const times = createHistogram();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = {
      url: load.url,
      method: 'POST' as const,
      headers: { 'content-type': 'application/json', ...load.headers },
      body: load.body,
      connections,
      duration: seconds,
    };
    const instance = autocannon(options, (error, ended) =>
      error ? reject(error) : resolve(ended),
    );
    // Its own statistics count whole milliseconds, of which most answers take none.
    instance.on('response', (_client, _status, _bytes, milliseconds) =>
      times.record(Math.max(1, Math.round(milliseconds * 1000))),
    );
  });
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0) throw new Error(`${failures} of the requests to ${load.url} failed`);
  const { average } = result.requests;
  return { requestsPerSecond: average, count: result['2xx'], p99: times.percentile(99) / 1000 };
}
