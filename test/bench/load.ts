import autocannon from 'autocannon';

/** What to send: one request, over and over. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

const connections = 16;

/** Send `load` for `seconds` over 16 connections; any answer but 200 ends the benchmark. */
export async function run(load: Load, seconds: number): Promise<LoadResult> {
  const result = await autocannon({
    url: load.url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...load.headers },
    body: load.body,
    connections,
    duration: seconds,
  });
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0) throw new Error(`${failures} of the requests to ${load.url} failed`);
  return { requestsPerSecond: result.requests.average, p99: result.latency.p99 };
}
