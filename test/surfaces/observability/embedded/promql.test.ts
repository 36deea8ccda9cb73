import assert from 'node:assert/strict';
import test from 'node:test';
import { overRange } from '../../../../runtime/surfaces/observability/embedded/evaluate/over-range.ts';
import { Pace } from '../../../../runtime/surfaces/observability/embedded/evaluate/pace.ts';
import { SeriesKeep } from '../../../../runtime/surfaces/observability/embedded/keep/series-keep.ts';
import { readPromql } from '../../../../runtime/surfaces/observability/embedded/language/promql.ts';

const begin = 1_790_000_000_000;

/** Twenty minutes of samples, one each 15 seconds; the counter of `b` begins anew in the middle. */
function kept(): SeriesKeep {
  const keep = new SeriesKeep(1000);
  for (let place = 0; place <= 80; place += 1) {
    keep.add(begin + place * 15_000 + 7000, [
      { name: 'hits_total', labels: { code: '200', zone: 'a' }, value: place * 30 },
      { name: 'hits_total', labels: { code: '500', zone: 'b' }, value: (place % 40) * 3 },
      { name: 'heat', labels: { zone: 'a' }, value: 20 + (place % 7) },
      ...(place < 60 ? [{ name: 'heat', labels: { zone: 'b' }, value: 10 }] : []),
      { name: 'cold', labels: { zone: 'a' }, value: 1 },
      { name: 'took_bucket', labels: { le: 0.1 }, value: place * 5 },
      { name: 'took_bucket', labels: { le: 1 }, value: place * 9 },
      { name: 'took_bucket', labels: { le: '+Inf' }, value: place * 10 },
    ]);
  }
  return keep;
}

function* noLines(): Generator<void, readonly never[]> {
  yield;
  return [];
}

async function at(promql: string, ms = begin + 1_200_000) {
  const keep = kept();
  const found = await overRange(
    readPromql(promql),
    { series: ({ matchers }) => keep.select(matchers), lines: noLines },
    { startMs: ms, endMs: ms, stepMs: 1000 },
    new Pace(new AbortController().signal),
  );
  return Object.fromEntries(
    found.map(({ metric: { job: _, ...labels }, values }) => [
      Object.entries(labels)
        .map(([name, value]) => `${name}=${value}`)
        .sort()
        .join(' '),
      Number(Number(values[0]?.[1]).toPrecision(8)),
    ]),
  );
}

const cases: readonly (readonly [string, Record<string, number>])[] = [
  ['rate(hits_total{code="200"}[5m])', { 'code=200 zone=a': 2 }],
  ['sum(rate(hits_total[5m]))', { '': 2.2 }],
  ['sum by (zone) (increase(hits_total[5m]))', { 'zone=a': 600, 'zone=b': 60 }],
  ['hits_total{code!~"2.."}', { '__name__=hits_total code=500 zone=b': 117 }],
  ['heat', { '__name__=heat zone=a': 22 }],
  ['heat offset 10m', { '__name__=heat zone=a': 24, '__name__=heat zone=b': 10 }],
  ['heat{zone="a"} > 30', {}],
  ['heat{zone="a"} > bool 30', { 'zone=a': 0 }],
  ['2 + 3 * 2 ^ 2 ^ 1 - -1', { '': 15 }],
  ['avg_over_time(heat{zone="a"}[1m])', { 'zone=a': 22.25 }],
  ['histogram_quantile(0.5, rate(took_bucket[5m]))', { '': 0.1 }],
  ['histogram_quantile(0.7, rate(took_bucket[5m]))', { '': 0.55 }],
  ['topk(1, hits_total)', { '__name__=hits_total code=200 zone=a': 2370 }],
  ['hits_total / on(zone) heat', { 'zone=a': 107.72727 }],
  ['absent(nothing{a="b"})', { 'a=b': 1 }],
  ['heat{zone="a"} unless on(zone) hits_total', {}],
  ['count(hits_total or heat)', { '': 3 }],
  ['scalar(heat{zone="a"}) * vector(2)', { '': 44 }],
  ['quantile(0.5, hits_total)', { '': 1243.5 }],
  ['round(1000 / vector(3), 0.5)', { '': 333.5 }],
  ['resets(hits_total{code="500"}[20m])', { 'code=500 zone=b': 1 }],
];

for (const [promql, expected] of cases) {
  test(promql, async () => {
    assert.deepEqual(await at(promql), expected);
  });
}

test('what is not supported, or means nothing, is refused with its place', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['heat[5m]', /for a function/],
    ['rate(heat)', /rate takes samples/],
    ['heat @ 100', /@ is not supported/],
    ['max_over_time(heat[1h:5m])', /subquery/],
    ['a * on(x) group_left b', /group_left/],
    ['{x=""}', /needs a condition/],
    ['1 < 2', /bool/],
    ['sum(', /a metric or a function is expected, but the query ends \(at character 5\)/],
    ['heat ! 1', /operator|expected/],
    ['predict_linear(heat[5m], 60)', /predict_linear is not supported/],
    [`${'('.repeat(100)}1`, /too deep/],
  ];
  for (const [promql, words] of refused) {
    assert.throws(() => readPromql(promql), words, promql);
  }
});

test('series with equal labels are not put together by chance', async () => {
  await assert.rejects(at('sum(heat) + on() hits_total'), /several series/);
  await assert.rejects(at('-{__name__=~"cold|heat"}'), /the same labels/);
});
