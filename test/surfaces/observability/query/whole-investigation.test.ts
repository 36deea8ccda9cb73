import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQueries } from '../../../../runtime/surfaces/observability/query/queries.ts';
import { answered, federationOf, now, type TestBackEnd } from './federation.ts';

const ns = BigInt(now) * 1_000_000n;

/** A Tempo that gives the newest of the traces that last as long as it is asked for. */
function tempo(durations: readonly number[]): TestBackEnd {
  return {
    ...{ id: 'traces', kind: 'tempo', signal: 'trace' },
    answers({ path }) {
      const { searchParams } = new URL(path, 'http://a');
      const query = searchParams.get('q') ?? '';
      const least = Number(/duration >= (\d+)ns/.exec(query)?.[1] ?? 0) / 1e6;
      const traces = durations
        .map((durationMs, place) => ({
          traceID: (place + 1).toString(16).padStart(32, '0'),
          ...{ startTimeUnixNano: (ns - BigInt(place + 1) * 10_000_000n).toString(), durationMs },
        }))
        .filter(({ durationMs }) => durationMs >= least && !query.includes('status = error'));
      return answered(
        JSON.stringify({ traces: traces.slice(0, Number(searchParams.get('limit'))) }),
      );
    },
  };
}

/** A Loki that heeds time, limit and level. */
function loki(lines: readonly (readonly [level: string, body: string])[]): TestBackEnd {
  return {
    ...{ id: 'logs', kind: 'loki', signal: 'log' },
    answers({ path }) {
      const { searchParams } = new URL(path, 'http://a');
      const wanted = /detected_level=~"\^\((.*)\)\$"/.exec(searchParams.get('query') ?? '')?.[1];
      const end = BigInt(searchParams.get('end') ?? 0);
      const found = lines
        .map(([level, body], place) => ({ level, body, time: ns - BigInt(place + 1) * 1000n }))
        .filter(({ level, time }) => time < end && wanted?.split('|').includes(level))
        .slice(0, Number(searchParams.get('limit')));
      const result = found.map(({ level, body, time }) => ({
        stream: { service_name: 'shop', detected_level: level },
        values: [[time.toString(), body]],
      }));
      return answered(JSON.stringify({ data: { resultType: 'streams', result } }));
    },
  };
}

async function investigate(backEnds: readonly TestBackEnd[], maxBytes = 65_536) {
  const { parts, context } = federationOf('log', backEnds);
  const queries = createQueries(parts, { folder: undefined, exportRequested: async () => {} });
  const found = await queries.investigate({ service: 'shop', maxBytes }, context);
  const reasons = found.missing.map(({ reason }) => String(reason));
  return { ...found, reasons: reasons.filter((reason) => !reason.startsWith('no provider')) };
}

test('the slowest traces are found, however many newer ones there are', async () => {
  const durations = Array.from({ length: 3000 }, (_, place) => (place % 2 ? 1 : 2 + (place % 300)));
  durations.push(60_000, 48_700);
  const { slowTraces, typicalMs, reasons, partial } = await investigate([tempo(durations)]);
  assert.deepEqual(
    slowTraces.map(({ durationMs }) => durationMs),
    [60_000, 48_700, 300, 300, 300],
  );
  assert.equal(typeof typicalMs, 'number');
  assert.match(String(reasons), /typicalMs is of the newest 100 traces alone/);
  assert.ok(partial);
});

test('of few traces all is known', async () => {
  const { slowTraces, typicalMs, reasons } = await investigate([tempo([0.4, 3, 5, 7, 9, 0.2])]);
  assert.deepEqual(
    slowTraces.map(({ durationMs }) => durationMs),
    [9, 7, 5, 3, 0],
  );
  assert.equal(typicalMs, 5);
  assert.deepEqual(reasons, []);
});

test('all lines of errors are counted, fatal ones by all of their names and first', async () => {
  const lines = [
    ...Array.from({ length: 3000 }, (_, place) => ['error', `order ${place} declined`] as const),
    ...Array.from({ length: 5 }, () => ['fatal', 'out of memory'] as const),
    ...Array.from({ length: 5 }, () => ['critical', 'ledger corrupt'] as const),
    ...[['error', 'disk full: data lost'] as const],
  ];
  const { errors, reasons } = await investigate([loki(lines)]);
  assert.deepEqual(
    errors.map(({ message, level, count }) => [message, level, count]),
    [
      ['out of memory', 'FATAL', 5],
      ['ledger corrupt', 'FATAL', 5],
      ['order 0 declined', 'ERROR', 3000],
      ['disk full: data lost', 'ERROR', 1],
    ],
  );
  assert.equal(errors[2]?.['firstAt'], '2026-09-21T14:13:19.997Z');
  assert.deepEqual(reasons, []);
});

test('more lines than are counted are told of', async () => {
  const lines = Array.from({ length: 7000 }, (_, place) => ['error', `order ${place}`] as const);
  const { errors, reasons, partial } = await investigate([loki(lines)]);
  assert.equal(errors[0]?.['count'], 5000);
  assert.match(String(reasons), /lines of errors: the newest are counted, and there are more/);
  assert.ok(partial);
});
