import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { exportRows } from '../../../../runtime/surfaces/observability/query/export-rows.ts';
import {
  type QueryInput,
  readInput,
} from '../../../../runtime/surfaces/observability/query/read-input.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { answered, federationOf, now, type TestBackEnd } from './federation.ts';

const ns = BigInt(now) * 1_000_000n;
const asked = { filter: { service: 'checkout' }, selection: { mode: 'all' } } as const;
type Line = readonly [bigint, string];

/** A Loki that gives the newest of its lines in the time that it is asked for, or in any. */
function loki(id: string, all: readonly Line[], heedsTime = true): TestBackEnd {
  return {
    ...{ id, kind: 'loki' },
    answers({ path }) {
      const { searchParams } = new URL(path, 'http://a');
      const [start, end] = ['start', 'end'].map((name) => BigInt(searchParams.get(name) ?? 0));
      const isForward = searchParams.get('direction') === 'forward';
      const values = all
        .filter(([time]) => !heedsTime || (time >= (start ?? 0n) && time < (end ?? 0n)))
        .toSorted(([a], [b]) => Number(a - b) * (isForward ? 1 : -1))
        .slice(0, heedsTime ? Number(searchParams.get('limit')) : undefined)
        .map(([time, body]) => [time.toString(), body]);
      const result = [{ stream: { service_name: 'checkout' }, values }];
      return answered(JSON.stringify({ data: { resultType: 'streams', result } }));
    },
  };
}

/** All pages of a query, to their end. */
async function read(federation: ReturnType<typeof federationOf>, input: QueryInput) {
  const rows: Record<string, unknown>[] = [];
  const warnings = new Set<string>();
  let [cursor, pages, isPartial] = [null as string | null, 0, false];
  do {
    const page = await federation.ask({ ...input, ...(cursor !== null && { cursor }) });
    rows.push(...(page.data as Record<string, unknown>[]));
    for (const warning of page.warnings) warnings.add(warning);
    isPartial ||= page.partial;
    cursor = page.nextCursor;
    pages += 1;
    assert.ok(pages < 100, 'the pages do not end');
  } while (cursor !== null);
  return { rows, warnings: [...warnings], isPartial };
}

const sorted = (rows: readonly Record<string, unknown>[]) => rows.map(({ body }) => body).sort();
const lines = (count: number, at: (place: number) => bigint, name = 'n'): Line[] =>
  Array.from({ length: count }, (_, place) => [at(place), `${name}${place}`]);

for (const direction of ['backward', 'forward'] as const) {
  test(`lines of one time in pages: each once, to their end (${direction})`, async () => {
    const one = ns - 5_000_000_000n;
    const all = [...lines(700, () => one), ...lines(3, (place) => one - 1n - BigInt(place), 'o')];
    const others = lines(350, () => one, 'm');
    const federation = federationOf('log', [loki('a', all), loki('b', others)]);
    const { rows, warnings, isPartial } = await read(federation, {
      ...{ ...asked, direction, limit: 100 },
    });
    assert.deepEqual(sorted(rows), [...all, ...others].map(([, body]) => body).sort());
    assert.deepEqual([warnings, isPartial], [[], false]);
  });

  test(`more lines of one time than a cursor can name: passed by, and told (${direction})`, async () => {
    const one = ns - 5_000_000_000n;
    const [before, after] = [lines(2, () => one - 1n, 'b'), lines(2, () => one + 1n, 'a')];
    const all = [...before, ...lines(1500, () => one), ...after];
    const federation = federationOf('log', [loki('a', all)]);
    const { rows, warnings, isPartial } = await read(federation, {
      ...{ ...asked, direction, limit: 100, maxBytes: 262_144 },
    });
    const bodies = sorted(rows);
    assert.equal(new Set(bodies).size, rows.length, 'none is given twice');
    for (const [, body] of [...before, ...after]) assert.ok(bodies.includes(body), body);
    assert.match(String(warnings), /more rows of the time 2026-\S+ may be there .* left out/);
    assert.ok(isPartial);
  });
}

test('a back end that heeds no time: its lines once, and an end', async () => {
  const all = lines(300, (place) => ns - 1000n * BigInt(place + 1));
  const federation = federationOf('log', [loki('a', all, false)]);
  const { rows, warnings, isPartial } = await read(federation, { ...asked, limit: 50 });
  assert.deepEqual(sorted(rows), all.map(([, body]) => body).sort());
  assert.match(String(warnings), /whether there are more is not known/);
  assert.ok(isPartial);
});

test('rows of another time than was asked for are left out, and the answer is partial', async () => {
  const hour = 3_600_000_000_000n;
  const all: Line[] = [
    ...([[ns + hour, 'of the future']] as const),
    ...([[ns - 1000n, 'now']] as const),
    ...([[ns - 100n * hour, 'long ago']] as const),
  ];
  const federation = federationOf('log', [loki('a', all, false)]);
  const { data, rows, partial, warnings, providers, nextCursor } = await federation.ask({
    ...{ ...asked, limit: 1 },
  });
  assert.deepEqual([(data as { body: string }[]).map(({ body }) => body), rows], [['now'], 1]);
  assert.deepEqual([partial, providers[0]?.status, providers[0]?.rows], [true, 'partial', 1]);
  assert.match(String(warnings), /a: 2 rows of another time than was asked for are left out/);
  assert.ok(nextCursor);
  const before = { from: 'now-3h', to: 'now-2h' };
  const { rows: none } = await federation.ask({ ...asked, timeRange: before });
  assert.equal(none, 0);
});

test('samples and traces of another time are left out as well', async () => {
  const seconds = now / 1000;
  const values = [seconds + 3600, seconds - 60, seconds - 99_999].map((time) => [time, '1']);
  const matrix = { resultType: 'matrix', result: [{ metric: { job: 'a' }, values }] };
  const metrics = federationOf('metric', [
    { id: 'a', kind: 'prometheus', answers: () => answered(JSON.stringify({ data: matrix })) },
  ]);
  const series = await metrics.ask({ promql: 'up' });
  assert.deepEqual((series.data as { values: unknown }[])[0]?.values, [[seconds - 60, '1']]);
  assert.ok(series.partial);
  const trace = (id: string, start: bigint) => ({
    ...{ traceID: id.repeat(32), startTimeUnixNano: start.toString(), durationMs: 5 },
  });
  const traces = [trace('a', ns - 5000n), trace('b', ns + ns), trace('c', 5n)];
  const search = federationOf('trace', [
    { id: 'a', kind: 'tempo', answers: () => answered(JSON.stringify({ traces })) },
  ]);
  const found = await search.ask({ traceql: '{}' });
  assert.deepEqual(
    [(found.data as { traceId: string }[]).map(({ traceId }) => traceId[0]), found.partial],
    [['a'], true],
  );
});

test('traces of one time in pages: each once, to their end', async () => {
  const start = ns - 5_000_000_000n;
  const all = Array.from({ length: 150 }, (_, place) => ({
    traceID: (place + 1).toString(16).padStart(32, '0'),
    ...{ startTimeUnixNano: (start - BigInt(place >> 6)).toString(), durationMs: 1 },
  }));
  const federation = federationOf('trace', [
    {
      ...{ id: 'a', kind: 'tempo' },
      answers({ path }) {
        const { searchParams } = new URL(path, 'http://a');
        // Times of a search are whole seconds (Tempo, search).
        const end = BigInt(searchParams.get('end') ?? 0) * 1_000_000_000n;
        const traces = all
          .filter(({ startTimeUnixNano }) => BigInt(startTimeUnixNano) < end)
          .slice(0, Number(searchParams.get('limit')));
        return answered(JSON.stringify({ traces }));
      },
    },
  ]);
  const { rows, warnings } = await read(federation, { traceql: '{}', limit: 20 });
  assert.deepEqual(
    rows.map(({ traceId }) => traceId).sort(),
    all.map(({ traceID }) => traceID).sort(),
  );
  assert.deepEqual(warnings, []);
});

test('a summary of more rows than it speaks of says so', async () => {
  const all = lines(3001, (place) => ns - BigInt(place + 1));
  const logs = federationOf('log', [loki('a', all)]);
  const summary = await logs.ask({ ...asked, format: 'summary' });
  assert.deepEqual([summary.rows, summary.partial, summary.nextCursor], [1000, true, null]);
  assert.match(String(summary.warnings), /speaks of 1000 rows, and there are more/);
  const whole = federationOf('log', [loki('a', all.slice(0, 300))]);
  const all300 = await whole.ask({ ...asked, format: 'summary' });
  assert.deepEqual([all300.rows, all300.partial, all300.warnings], [300, false, []]);
});

test('durations of a summary are those of the nearest rank', async () => {
  const traces = [0.1, 0.999, 1600].map((durationMs, place) => ({
    ...{ traceID: `${place + 1}`.repeat(32), startTimeUnixNano: (ns - 5000n).toString() },
    durationMs,
  }));
  const { ask } = federationOf('trace', [
    { id: 'a', kind: 'tempo', answers: () => answered(JSON.stringify({ traces })) },
  ]);
  const { summary } = await ask({ traceql: '{}', format: 'summary' });
  assert.deepEqual(summary?.['durationMs'], { p50: 1, p95: 1600, max: 1600 });
});

async function exported(t: TestContext, backEnds: readonly TestBackEnd[]) {
  const { parts, context } = federationOf('log', backEnds);
  const folder = temporaryDirectory(t);
  const result = await exportRows(parts, readInput('log', asked, now, 'json'), { folder }, context);
  const text = await readFile(join(folder, result.file), 'utf8');
  return { ...result, lines: text.split('\n').slice(0, -1) };
}

test('an export is complete where all of the chosen back ends have given all', async (t) => {
  const all = lines(7000, (place) => ns - BigInt(place + 1));
  const whole = await exported(t, [loki('a', all)]);
  assert.deepEqual([whole.rows, whole.lines.length, whole.complete], [7000, 7000, true]);
  const away = { id: 'b', kind: 'loki', answers: () => answered('', 500) };
  const part = await exported(t, [loki('a', all.slice(0, 5)), away]);
  assert.deepEqual([part.rows, part.complete], [5, false]);
  assert.match(String(part.warnings), /b: the back end failed/);
  const silent = { id: 'c', kind: 'unheard', answers: () => answered('') };
  const skipped = await exported(t, [loki('a', all.slice(0, 5)), silent]);
  assert.equal(skipped.complete, false);
  assert.match(String(skipped.warnings), /c: not asked: its kind unheard is unknown/);
});
