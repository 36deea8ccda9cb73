import assert from 'node:assert/strict';
import test from 'node:test';
import { serveObservability } from '../observing-server.ts';
import { startLoki } from '../real/back-ends.ts';

const ms = 1_000_000n;

interface Line {
  readonly timestamp: string;
  readonly body: string;
  readonly severity?: string;
  readonly service: string;
  readonly providerId: string;
}

/** Put lines into Loki, one each millisecond, the newest of them at `end`. */
async function push(url: string, end: bigint, count: number): Promise<void> {
  const values = Array.from({ length: count }, (_, index) => [
    (end - BigInt(count - 1 - index) * ms).toString(),
    `line ${index} of "checkout" ${index % 10 === 0 ? 'failed' : 'done'}`,
    { trace_id: index.toString(16).padStart(32, '0') },
  ]);
  const stream = { service_name: 'checkout', level: 'info' };
  const body = JSON.stringify({ streams: [{ stream, values }] });
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/loki/api/v1/push`, { method: 'POST', headers, body });
  assert.equal(reply.status, 204, await reply.text());
}

test('lines of two Lokis: the same as each gives itself, once each, page by page', async (t) => {
  const [first, second] = await Promise.all([startLoki(t), startLoki(t)]);
  const { register, post, call, written } = await serveObservability(t);
  const now = BigInt(Date.now()) * ms;
  // Of 300 lines the first keeps the oldest 200, the second all: what both keep is given once.
  await push(first.url, now - 100n * ms, 200);
  await push(second.url, now, 300);
  const base = { signalType: 'log', kind: 'loki' };
  await register({ ...base, id: 'one', endpoint: first.url });
  await register({ ...base, id: 'two', endpoint: second.url });
  const timeRange = { from: 'now-30m', to: 'now' };
  const asked = { logql: '{service_name="checkout"}', timeRange };

  await t.test('the rows of one back end are those of its own API', async () => {
    const end = Date.now();
    const range = { startMs: end - 600_000, endMs: end };
    const selection = { mode: 'one', providerId: 'two' };
    const { body } = await post('/observability/query/logs', {
      ...{ logql: '{service_name="checkout"} |= "failed"', timeRange: range, selection, limit: 50 },
    });
    const own = new URL(`${second.url}/loki/api/v1/query_range`);
    own.search = new URLSearchParams({
      query: '{service_name="checkout"} |= "failed"',
      ...{ start: `${range.startMs}000000`, end: `${range.endMs}000000`, limit: '50' },
    }).toString();
    const { data } = (await (await fetch(own)).json()) as {
      data: { result: { values: [string, string][] }[] };
    };
    const theirs = data.result.flatMap(({ values }) => values).sort(([a], [b]) => (a < b ? 1 : -1));
    const ours = (body['data'] as Line[]).map(({ timestamp, body: text }) => [
      nanoseconds(timestamp),
      text,
    ]);
    assert.equal(ours.length, 30);
    assert.deepEqual(ours, theirs);
  });

  await t.test('both together give each line once, through all pages', async () => {
    const lines: Line[] = [];
    let cursor: string | null = null;
    // The range must not move between pages.
    const fixed = { startMs: Date.now() - 1_800_000, endMs: Date.now() + 1000 };
    do {
      const { status, body } = await post('/observability/query/logs', {
        ...{ ...asked, timeRange: fixed, selection: { mode: 'all' }, limit: 70 },
        ...(cursor !== null && { cursor }),
      });
      assert.equal(status, 200, JSON.stringify(body));
      lines.push(...(body['data'] as Line[]));
      cursor = body['nextCursor'] as string | null;
    } while (cursor !== null);
    const bodies = lines.map(({ body }) => body);
    assert.equal(bodies.length, 300);
    assert.equal(new Set(lines.map(({ timestamp }) => timestamp)).size, 300);
    assert.deepEqual(
      lines.map(({ timestamp }) => nanoseconds(timestamp)),
      lines.map(({ timestamp }) => nanoseconds(timestamp)).sort((a, b) => (a < b ? 1 : -1)),
    );
  });

  await t.test('a neutral filter finds what LogQL finds', async () => {
    const filter = {
      service: 'checkout',
      text: '"checkout" failed',
      attributes: { level: 'info' },
    };
    const selection = { mode: 'one', providerId: 'two' };
    const { body } = await post('/observability/query/logs', { filter, timeRange, selection });
    assert.equal((body['data'] as Line[]).length, 30, JSON.stringify(body));
    const traceId = (16).toString(16).padStart(32, '0');
    const one = { filter: { traceId }, timeRange, selection };
    const { body: traced } = await post('/observability/query/logs', one);
    assert.deepEqual(
      (traced['data'] as Line[]).map((line) => line.body),
      ['line 16 of "checkout" done'],
    );
  });

  await t.test(
    'a query of LogQL that counts gives series, and is no access to raw data',
    async () => {
      const before = (await written('OBSERVABILITY_RAW_DATA_ACCESSED')).length;
      const logql = 'sum by (service_name) (count_over_time({service_name="checkout"}[10m]))';
      const selection = { mode: 'one', providerId: 'two' };
      const { body } = await post('/observability/query/logs', { logql, timeRange, selection });
      const [series] = body['data'] as { metric: object; values: unknown[] }[];
      assert.deepEqual(series?.metric, { service_name: 'checkout', provider_id: 'two' });
      assert.equal((await written('OBSERVABILITY_RAW_DATA_ACCESSED')).length, before);
    },
  );

  await t.test('a query that Loki does not understand is told in its words', async () => {
    const broken = { ...asked, logql: '{service_name=' };
    const { status, body } = await post('/observability/query/logs', broken);
    assert.deepEqual([status, body['error']], [400, 'invalid_query']);
    assert.match(String(body['reason']), /one: the back end does not understand.*parse error/s);
  });

  await t.test('what a query would read is told before', async () => {
    const { structuredContent } = await call('observability_explain_query', {
      ...{ signalType: 'log', ...asked, selection: { mode: 'all' } },
    });
    const { providers } = structuredContent as unknown as {
      providers: { asked: boolean; path: string; cost: { bytes: number } }[];
    };
    assert.equal(providers.length, 2);
    assert.match(providers[0]?.path ?? '', /^\/loki\/api\/v1\/query_range\?query=/);
    assert.ok(providers.every(({ cost }) => cost !== undefined));
  });

  await t.test('one that stands still costs the deadline, one that is gone nothing', async () => {
    const all = { ...asked, selection: { mode: 'all' }, timeoutMs: 1500 };
    second.hold();
    const { body: slow } = await post('/observability/query/logs', all);
    second.goOn();
    assert.deepEqual([slow['partial'], slow['complete']], [true, ['one']]);
    assert.deepEqual(statusesOf(slow), { one: 'ok', two: 'timeout' });
    await second.kill();
    const { body: gone } = await post('/observability/query/logs', all);
    assert.deepEqual(statusesOf(gone), { one: 'ok', two: 'error' });
    const strict = { ...all, partial: 'forbid' };
    const { status, body } = await post('/observability/query/logs', strict);
    assert.deepEqual([status, body['error']], [502, 'provider_unavailable']);
    // The primary one is gone: the next one answers, and the answer says so.
    const primary = { mode: 'primary', primaryProviderId: 'two' };
    const { body: next } = await post('/observability/query/logs', { ...all, selection: primary });
    assert.deepEqual(statusesOf(next), { two: 'error', one: 'ok' });
    assert.match(String(next['warnings']), /two: it cannot be reached/);
  });
});

function statusesOf({ providers }: Record<string, unknown>): Record<string, string> {
  const all = providers as { providerId: string; status: string }[];
  return Object.fromEntries(all.map(({ providerId, status }) => [providerId, status]));
}

function nanoseconds(time: string): string {
  const [, seconds = '', fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(time) ?? [];
  return `${Date.parse(`${seconds}Z`) / 1000}${fraction.padEnd(9, '0')}`;
}
