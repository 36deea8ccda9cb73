import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Signal } from '#contract/telemetry/kind';
import type { QueryInput } from '../../../../runtime/surfaces/observability/query/read-input.ts';
import { answered, federationOf, now } from './federation.ts';

const ns = BigInt(now) * 1_000_000n;
const traceId = 'a'.repeat(32);
const asked = { filter: { service: 'checkout' } };
const span = { traceID: traceId, spanID: '1'.repeat(16), startTime: (now - 5) * 1000, duration: 5 };
const line = { ts: (ns - 5n).toString(), Body: 'a line' };

/** Answers of status 200 that tell of a failure: what came with it is a part, nothing is a failure. */
const failures: Readonly<Record<string, readonly [Signal, string, QueryInput, object, number]>> = {
  'Loki, status error': ['log', 'loki', asked, { status: 'error', data: { result: [] } }, 0],
  'Prometheus, status error': [
    ...(['metric', 'prometheus', { promql: 'up' }] as const),
    ...([{ status: 'error', data: { resultType: 'matrix', result: [] } }, 0] as const),
  ],
  'Jaeger, errors and no data': [
    ...(['trace', 'jaeger', asked, { data: null, errors: [{ code: 500, msg: 'x' }] }, 0] as const),
  ],
  'Jaeger, errors and an empty list': [
    ...(['trace', 'jaeger', asked, { data: [], errors: [{ code: 500, msg: 'x' }] }, 0] as const),
  ],
  'Jaeger, errors besides traces': [
    ...(['trace', 'jaeger', asked] as const),
    ...([{ data: [{ spans: [span], processes: {} }], errors: [{ msg: 'x' }] }, 1] as const),
  ],
  'ClickHouse, an exception after rows': [
    ...(['log', 'clickhouse', asked, { data: [line], exception: 'Code: 159.' }, 1] as const),
  ],
  'ClickHouse, an exception alone': [
    ...(['log', 'clickhouse', asked, { data: [], exception: 'Code: 159.' }, 0] as const),
  ],
};

for (const [what, [signal, kind, input, answer, rows]] of Object.entries(failures)) {
  test(`a failure that comes with status 200 is one: ${what}`, async () => {
    const { ask } = federationOf(signal, [
      { id: 'a', kind, answers: () => answered(JSON.stringify(answer)) },
    ]);
    if (rows === 0) {
      await assert.rejects(ask(input), {
        code: 'provider_unavailable',
        message: /a: the back end says that it has failed/,
      });
      return;
    }
    const { rows: given, partial, complete } = await ask(input);
    assert.deepEqual([given, partial, complete], [rows, true, []]);
  });
}

test('Tempo says PARTIAL of a search as it does of a trace', async () => {
  const { ask } = federationOf('trace', [
    { id: 'a', kind: 'tempo', answers: () => answered('{"traces":[],"status":"PARTIAL"}') },
  ]);
  const { partial, complete } = await ask({ traceql: '{}' });
  assert.deepEqual([partial, complete], [true, []]);
});

test('spans of other traces than the one that was asked for are left out', async () => {
  const other = { ...span, traceID: 'b'.repeat(32) };
  const data = [{ spans: [span, other], processes: {} }];
  const { ask } = federationOf('trace', [
    { id: 'a', kind: 'jaeger', answers: () => answered(JSON.stringify({ data })) },
  ]);
  const { rows, partial, warnings, data: given } = await ask({ filter: { traceId } });
  assert.deepEqual([rows, partial], [1, true]);
  assert.match(String(warnings), /1 spans of other traces are left out/);
  assert.doesNotMatch(JSON.stringify(given), /bbbb/);
});

test('native histograms are given by what they count and sum up (Prometheus HTTP API)', async () => {
  const at = now / 1000 - 60;
  const histograms = [[at, { count: '5', sum: '12.5', buckets: [] }]];
  const result = [
    { metric: { __name__: 'took', job: 'pure' }, histograms },
    { metric: { __name__: 'took', job: 'mixed' }, values: [[at, '1']], histograms },
  ];
  const body = JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } });
  const { ask } = federationOf('metric', [
    { id: 'a', kind: 'prometheus', answers: () => answered(body) },
  ]);
  const { data } = await ask({ promql: 'took' });
  const shown = (data as { metric: Record<string, string>; values: [number, string][] }[]).map(
    ({ metric, values }) => [metric['job'], metric['native_histogram'], values[0]?.[1]],
  );
  assert.deepEqual(shown, [
    ['pure', 'count', '5'],
    ['pure', 'sum', '12.5'],
    ['mixed', undefined, '1'],
    ['mixed', 'count', '5'],
    ['mixed', 'sum', '12.5'],
  ]);
});

test('a summary of samples that are no numbers says so in its first and last', async () => {
  const values = [
    [now / 1000 - 90, 'NaN'],
    [now / 1000 - 60, '5'],
    [now / 1000 - 30, '+Inf'],
  ];
  const result = [{ metric: { job: 'a' }, values }];
  const body = JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } });
  const { ask } = federationOf('metric', [
    { id: 'a', kind: 'prometheus', answers: () => answered(body) },
  ]);
  const { summary } = await ask({ promql: 'up', format: 'summary' });
  const { series } = summary as { series: Record<string, unknown>[] };
  const [{ min, max, first, last } = {}] = series;
  assert.deepEqual([min, max, first, last], [5, 5, 'NaN', '+Inf']);
});

test('what is counted by the text of lines is raw telemetry, and written down', async () => {
  const counted = (metric: object) => {
    const result = [{ metric, values: [[now / 1000 - 60, '1']] }];
    return answered(JSON.stringify({ data: { resultType: 'matrix', result } }));
  };
  const whole = 'sum by (m) (count_over_time({a="b"} | regexp "(?P<m>.*)" [1h]))';
  const cases: readonly (readonly [string, object, number])[] = [
    [whole, { m: 'card 4111 declined' }, 1],
    [whole.replaceAll('m)', 'level)').replace('<m>', '<level>'), { level: 'secret' }, 1],
    ['sum by (user) (count_over_time({a="b"} [1h]))', { user: 'jane' }, 1],
    ['sum by (level) (count_over_time({a="b"} [1h]))', { level: 'error' }, 0],
    ['sum(count_over_time({a="b"} [1h]))', {}, 0],
  ];
  for (const [logql, metric, expected] of cases) {
    for (const format of ['json', 'csv', 'summary'] as const) {
      const federation = federationOf('log', [
        { id: 'a', kind: 'loki', answers: () => counted(metric) },
      ]);
      await federation.ask({ logql, format });
      assert.equal(federation.accesses.length, expected, `${format}: ${logql}`);
    }
  }
});

test('a least duration is asked for to the nanosecond', async () => {
  const asks: Readonly<Record<string, RegExp>> = {
    jaeger: /minDuration=1500001ns/,
    tempo: /duration >= 1500001ns/,
    clickhouse: /param_least=1500001\b/,
    elasticsearch: /duration:>=1500001"/,
    datadog: /@duration:>=1\.500001ms/,
  };
  for (const [kind, form] of Object.entries(asks)) {
    const { ask, requests } = federationOf('trace', [
      { id: 'a', kind, answers: () => answered('{}') },
    ]);
    await ask({ filter: { service: 'shop', minDurationMs: 1.500001 } }).catch(() => undefined);
    const [{ path = '', body = '' } = {}] = requests;
    assert.match(`${decodeURIComponent(path.replaceAll('+', ' '))} ${body}`, form, kind);
  }
});

test('a level is asked for by all of its names', async () => {
  const asks: Readonly<Record<string, RegExp>> = {
    loki: /detected_level=~"\^\((?=[^)]*\bfatal\b)(?=[^)]*\bcritical\b)[^)]*\)\$"/,
    victorialogs: /severity:~"\^\((?=[^)]*\bFATAL\b)(?=[^)]*\bCritical\b)[^)]*\)\$"/,
    clickhouse: /param_level=(?=[^&]*\bfatal\b)(?=[^&]*\bcritical\b)/,
    elasticsearch: /severity_text:\((?=[^)]*FATAL)(?=[^)]*critical)/,
    datadog: /status:\((?=[^)]*fatal)(?=[^)]*critical)/,
  };
  for (const [kind, form] of Object.entries(asks)) {
    const { ask, requests } = federationOf('log', [
      { id: 'a', kind, answers: () => answered('{}') },
    ]);
    await ask({ filter: { service: 'shop', level: 'fatal' } }).catch(() => undefined);
    const [{ path = '', body = '' } = {}] = requests;
    const text = `${decodeURIComponent(path.replaceAll('+', ' '))} ${decodeURIComponent(body)}`;
    assert.match(text, form, kind);
  }
});

test('names of fields stay names in Lucene (query string syntax, reserved characters)', async () => {
  const { ask, requests } = federationOf('log', [
    { id: 'a', kind: 'elasticsearch', answers: () => answered('{"hits":{"hits":[]}}') },
  ]);
  await ask({ filter: { attributes: { 'k8s.io/a:b-c': 'x' } } });
  const { query } = JSON.parse(requests[0]?.body ?? '').query.bool.filter[0].query_string;
  assert.equal(query, 'attributes.k8s.io\\/a\\:b\\-c:"x"');
});

test('times that are none, and filters that ask for nothing, are refused', async () => {
  const { ask, requests } = federationOf('log', [
    { id: 'a', kind: 'loki', answers: () => answered('{"data":{"result":[]}}') },
  ]);
  const filter = { service: 'checkout' };
  const wrong: readonly (readonly [QueryInput, RegExp])[] = [
    [{ filter, timeRange: { startMs: 9007199254730000, endMs: 9007199254740000 } }, /year 10000/],
    [{ filter, timeRange: { startMs: 9007199254740000 } }, /year 10000/],
    [{ filter, timeRange: { from: '2026-02-30T00:00:00Z' } }, /must be a time/],
    [{ filter, timeRange: { from: '2026-13-01T00:00:00Z' } }, /must be a time/],
    [{ filter: { attributes: {} } }, /filter asks for nothing/],
  ];
  for (const [input, message] of wrong) {
    await assert.rejects(ask(input), { code: 'invalid_request', status: 400, message });
  }
  assert.deepEqual(requests, []);
  await ask({ filter, timeRange: { from: '2024-02-29T00:00:00Z', to: '2024-02-29T01:00:00Z' } });
});
