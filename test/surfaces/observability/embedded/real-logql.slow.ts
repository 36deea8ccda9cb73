import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asked } from '../../../../runtime/surfaces/observability/embedded/answer/asked.ts';
import { answerLogs } from '../../../../runtime/surfaces/observability/embedded/answer/logs.ts';
import type { KeptLine } from '../../../../runtime/surfaces/observability/embedded/keep/kept.ts';
import { startLoki } from '../real/back-ends.ts';

type Labels = Readonly<Record<string, string>>;

interface Answer {
  readonly data: {
    readonly resultType: 'streams' | 'matrix';
    readonly result: readonly {
      readonly stream?: Labels;
      readonly metric?: Labels;
      readonly values: readonly (readonly [number | string, string])[];
    }[];
  };
}

const count = 240;
const second = 1_000_000_000n;

/** Lines of ten minutes, one each two and a half seconds: JSON, logfmt and plain ones. */
function linesUntil(end: bigint): readonly KeptLine[] {
  return Array.from({ length: count }, (_, place): KeptLine => {
    const level = ['info', 'warn', 'error'][place % 3] ?? 'info';
    const took = (place * 37) % 900;
    const forms = [
      JSON.stringify({ msg: `placed order ${place}`, status: 200 + (place % 5) * 100, took }),
      `msg="paid order ${place}" status=${place % 2 === 0 ? 'ok' : 'failed'} took=${took}ms size=${place}KB`,
      `order ${place} of Müller (10.0.${place % 7}.1) has failed: [${took}]`,
    ];
    return {
      time: end - BigInt(count - place) * (second / 2n) * 5n,
      ...{ level, service: place % 4 === 0 ? 'cart' : 'checkout', source: 'server' },
      body: forms[Math.floor(place / 3) % 3] ?? '',
      attributes: {},
    };
  });
}

async function push(url: string, lines: readonly KeptLine[]): Promise<void> {
  const streams = lines.map(({ time, level, service, source, body }) => ({
    stream: { service_name: service, level, source },
    values: [[String(time), body]],
  }));
  const reply = await fetch(`${url}/loki/api/v1/push`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ streams }),
  });
  assert.equal(reply.status, 204, await reply.text());
}

/** Rows in one order; of lines their time and text, of numbers all of it. */
function comparable({ data: { resultType, result } }: Answer): readonly string[] {
  return result
    .flatMap(({ metric = {}, values }) => {
      const { detected_level: _, ...labels } = metric;
      const about = resultType === 'streams' ? '' : JSON.stringify(Object.entries(labels).sort());
      return values.map(([time, value]) =>
        resultType === 'streams'
          ? `${time} ${value}`
          : `${about} ${time} ${Number(Number(value).toPrecision(10))}`,
      );
    })
    .sort();
}

const all = '{service_name=~".+"}';

const queries = [
  ...['{service_name="cart"}', '{service_name="checkout", level!="info"}', '{level=~"warn|error"}'],
  ...[`${all} |= "failed"`, `${all} != "failed"`, `${all} |~ "order 1\\\\d+ "`, `${all} !~ "^msg"`],
  ...[`${all} |~ "(?i)MÜLLER"`, `${all} |= "10.0.3.1" |= "Müller"`, `${all} |= \`has failed\``],
  ...[`${all} |= "placed" | json | status="400"`, `${all} |= "placed" | json | status >= 500`],
  ...[`${all} |= "placed" | json | took < 100`, `${all} |= "placed" | json | took != 37`],
  ...[`${all} |= "paid" | logfmt | status="failed"`, `${all} |= "paid" | logfmt | took > 500ms`],
  ...[`${all} |= "paid" | logfmt | size > 100KB`, `${all} |= "paid" | logfmt | msg =~ ".*12.*"`],
  `${all} |= "paid" | logfmt | took > 500ms and status="ok" or status="failed"`,
  `${all} |= "paid" | logfmt | (took > 500ms or took < 100ms) , status="ok"`,
  `${all} | level="warn"`,
  ...['sum(count_over_time({service_name="cart"}[2m]))', `sum by (level) (rate(${all}[1m]))`],
  `sum by (service_name) (count_over_time(${all} |= "failed" [5m]))`,
  `sum by (level) (bytes_over_time(${all}[2m]))`,
  `sum(bytes_rate(${all} |= "Müller" [2m]))`,
  `sum by (status) (count_over_time(${all} |= "placed" | json [5m]))`,
  `topk(1, sum by (service_name) (count_over_time(${all}[5m])))`,
  `max(sum by (level) (count_over_time(${all}[1m]))) / 2`,
  `sum(count_over_time(${all}[1m])) > 10`,
  `count_over_time({service_name="cart", level="info"}[3m])`,
  `sum(count_over_time(${all}[2m] offset 3m))`,
];

test('LogQL of the server itself gives the rows of Loki', async (t) => {
  const { url } = await startLoki(t);
  // Whole minutes, for steps to fall on the same times in both.
  const end = BigInt(Math.floor(Date.now() / 60_000)) * 60n * second;
  const lines = linesUntil(end);
  await push(url, lines);
  const range = { start: String(end - 900n * second), end: String(end), step: '60', limit: '1000' };

  const theirs = async (query: string): Promise<Answer> => {
    const reply = await fetch(
      `${url}/loki/api/v1/query_range?${new URLSearchParams({ query, ...range })}`,
    );
    const text = await reply.text();
    assert.equal(reply.status, 200, `${query}: ${text}`);
    return JSON.parse(text);
  };
  const ours = async (query: string): Promise<Answer> => {
    const asked = {
      ...{ keep: { lines: () => lines }, tenant: 'default', isOwner: true },
      ...{ parameters: new URLSearchParams({ query, ...range }) },
      signal: new AbortController().signal,
    };
    return (await answerLogs(asked as unknown as Asked)) as Answer;
  };
  while (comparable(await theirs(all)).length < count) await sleep(200);
  for (const query of queries) {
    await t.test(query, async () => {
      const rows = comparable(await ours(query));
      assert.ok(rows.length > 0, 'a query that finds nothing shows nothing');
      assert.deepEqual(rows, comparable(await theirs(query)));
    });
  }
});
