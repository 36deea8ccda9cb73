import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { overRange } from '../../../../runtime/surfaces/observability/embedded/evaluate/over-range.ts';
import { Pace } from '../../../../runtime/surfaces/observability/embedded/evaluate/pace.ts';
import {
  ownService,
  SeriesKeep,
} from '../../../../runtime/surfaces/observability/embedded/keep/series-keep.ts';
import { readPromql } from '../../../../runtime/surfaces/observability/embedded/language/promql.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { freePorts, programAt, startProgram } from '../real/programs.ts';

type Labels = Readonly<Record<string, string>>;

interface Series {
  readonly metric: Labels;
  readonly values: readonly (readonly [number, string])[];
}

const begin = 1_790_000_000_000;
const every = 15_000;
const samples = 121;

/** What both keep: half an hour of counters that begin anew, gauges that swing, and a histogram. */
function valuesAt(place: number): readonly (readonly [string, Labels, number])[] {
  const wave = Math.round(1000 * Math.sin(place / 7)) / 10;
  return [
    ['hits_total', { code: '200', zone: 'a' }, place * 30],
    ['hits_total', { code: '500', zone: 'b' }, (place % 40) * 3],
    ['hits_total', { code: '404', zone: 'b' }, place < 50 ? 0 : 7],
    ['heat', { zone: 'a' }, 20 + (place % 7)],
    ['heat', { zone: 'b' }, wave],
    ['cold', { zone: 'a' }, 1],
    ['cold', { zone: 'b' }, -2.5],
    ['took_bucket', { le: '0.1', zone: 'a' }, place * 5],
    ['took_bucket', { le: '1', zone: 'a' }, place * 9],
    ['took_bucket', { le: '10', zone: 'a' }, place * 9],
    ['took_bucket', { le: '+Inf', zone: 'a' }, place * 10],
    ['took_bucket', { le: '0.1', zone: 'b' }, 0],
    ['took_bucket', { le: '1', zone: 'b' }, place],
    ['took_bucket', { le: '10', zone: 'b' }, place * 2],
    ['took_bucket', { le: '+Inf', zone: 'b' }, place * 2],
  ];
}

const timeOf = (place: number) => begin + place * every + 7000;

function kept(): SeriesKeep {
  const keep = new SeriesKeep(1000);
  for (let place = 0; place < samples; place += 1) {
    keep.add(
      timeOf(place),
      valuesAt(place).map(([name, labels, value]) => ({ name, labels, value })),
    );
  }
  return keep;
}

/** Prometheus with the same samples in its blocks. */
async function startWithSamples(t: TestContext): Promise<string> {
  const folder = temporaryDirectory(t);
  const rows = Array.from({ length: samples }, (_, place) =>
    valuesAt(place).map(([name, labels, value]) => {
      const all = Object.entries({ ...labels, job: ownService });
      const text = all.map(([label, each]) => `${label}="${each}"`).join(',');
      return { name, line: `${name}{${text}} ${value} ${timeOf(place) / 1000}` };
    }),
  ).flat();
  const names = [...new Set(rows.map(({ name }) => name))];
  const lines = names.flatMap((name) => [
    `# TYPE ${name.replace(/_total$/, '')} ${name.endsWith('_total') ? 'counter' : 'unknown'}`,
    ...rows.filter((row) => row.name === name).map(({ line }) => line),
  ]);
  const written = join(folder, 'samples.txt');
  writeFileSync(written, `${lines.join('\n')}\n# EOF\n`);
  const data = join(folder, 'data');
  const promtool = programAt('/usr/bin/promtool');
  execFileSync(promtool, ['tsdb', 'create-blocks-from', 'openmetrics', written, data], {
    stdio: 'ignore',
  });
  const [port] = await freePorts(1);
  const config = join(folder, 'prometheus.yml');
  writeFileSync(config, 'scrape_configs: []\n');
  const { url } = await startProgram(t, {
    binary: programAt('/usr/bin/prometheus'),
    args: [
      ...[`--config.file=${config}`, `--storage.tsdb.path=${data}`, '--log.level=error'],
      ...['--storage.tsdb.retention.time=10y', `--web.listen-address=127.0.0.1:${port}`],
    ],
    ...{ url: `http://127.0.0.1:${port}`, ready: '/-/ready' },
  });
  return url;
}

const steps = { startMs: begin, endMs: timeOf(samples - 1), stepMs: 60_000 };

async function theirs(url: string, query: string): Promise<readonly Series[]> {
  const body = new URLSearchParams({
    ...{ query, start: String(steps.startMs / 1000), end: String(steps.endMs / 1000) },
    step: String(steps.stepMs / 1000),
  });
  const reply = await fetch(`${url}/api/v1/query_range`, { method: 'POST', body });
  const { data, error } = (await reply.json()) as { data?: { result: Series[] }; error?: string };
  assert.ok(data, `${query}: ${error}`);
  return data.result;
}

/** Rows in one order, with numbers as far as both can be exact. */
function comparable(series: readonly Series[]): readonly string[] {
  return series
    .flatMap(({ metric, values }) => {
      const labels = JSON.stringify(Object.entries(metric).sort());
      return values.map(([time, value]) => {
        const number = value.replace('Inf', 'Infinity');
        return `${labels} ${time} ${Number(Number(number).toPrecision(10))}`;
      });
    })
    .sort();
}

const queries = [
  ...['hits_total', 'hits_total{code!~"2.."}', '{__name__=~"cold|heat", zone="a"}'],
  ...['rate(hits_total[5m])', 'increase(hits_total[3m])', 'irate(hits_total[2m])'],
  ...['delta(heat[4m])', 'idelta(heat[4m])', 'resets(hits_total[20m])', 'changes(heat[5m])'],
  ...['sum(rate(hits_total[5m]))', 'sum by (zone) (increase(hits_total[5m]))'],
  ...['avg without (code) (hits_total)', 'max by (zone) (heat)', 'min(heat)', 'group(heat)'],
  ...['count by (zone) (hits_total)', 'stddev(hits_total)', 'stdvar by (zone) (hits_total)'],
  ...['topk(2, hits_total)', 'bottomk by (zone) (1, hits_total)', 'quantile(0.3, hits_total)'],
  ...['avg_over_time(heat[1m])', 'max_over_time(heat[3m])', 'min_over_time(heat[3m])'],
  ...['sum_over_time(heat[2m])', 'count_over_time(heat[2m])', 'last_over_time(heat[2m])'],
  ...['stddev_over_time(heat[5m])', 'stdvar_over_time(heat[5m])', 'present_over_time(heat[2m])'],
  ...['quantile_over_time(0.9, heat[5m])', 'absent_over_time(nothing[5m])'],
  ...['heat offset 5m', 'rate(hits_total[5m] offset 3m)', 'heat > 20', 'heat > bool 20'],
  ...[
    'heat + on (zone) cold',
    'hits_total{code="200"} / ignoring (code) sum without (code) (hits_total{zone="a"})',
  ],
  ...['heat * 2 - 3 ^ 2 % 5', '-heat', 'heat == heat', 'heat != bool cold'],
  ...['heat and cold', 'heat or cold', 'heat unless on (zone) cold{zone="a"}', '1 + 2 * 3'],
  ...['abs(heat)', 'ceil(heat / 3)', 'floor(heat / 3)', 'round(heat, 5)', 'sqrt(abs(heat))'],
  ...['exp(cold)', 'ln(heat)', 'log2(heat)', 'log10(heat)', 'sgn(heat)', 'clamp(heat, -5, 5)'],
  ...['clamp_min(heat, 0)', 'clamp_max(heat, 0)', 'absent(nothing{a="b"})', 'absent(heat)'],
  ...['scalar(heat{zone="a"})', 'scalar(heat)', 'vector(2)', 'time()', 'vector(time())'],
  ...['sort(heat)', 'sort_desc(heat)', 'heat / 0', '0 / 0 * heat', 'sum(nothing)', 'heat > 1000'],
  ...['histogram_quantile(0.5, rate(took_bucket[5m]))', 'histogram_quantile(0.99, took_bucket)'],
  'histogram_quantile(0.7, sum by (le) (rate(took_bucket[5m])))',
  'histogram_quantile(1.5, took_bucket)',
  'histogram_quantile(0, rate(took_bucket[5m]))',
  'sum(rate(hits_total{code=~"4..|5.."}[5m])) / sum(rate(hits_total[5m])) > 0.01',
  ...['max_over_time(heat[3m]) - min_over_time(heat[3m])', 'hits_total % 7', 'heat < cold'],
  ...['count(hits_total) by (zone) > 1', 'sum(heat) by (zone) / count(heat) by (zone)'],
];

function* noLines(): Generator<void, readonly never[]> {
  yield;
  return [];
}

test('PromQL of the server itself gives the rows of Prometheus', async (t) => {
  const url = await startWithSamples(t);
  const keep = kept();
  const sources = {
    series: ({ matchers }: Parameters<Parameters<typeof overRange>[1]['series']>[0]) =>
      keep.select(matchers),
    lines: noLines,
  };
  let rows = 0;
  for (const query of queries) {
    await t.test(query, async () => {
      const pace = new Pace(new AbortController().signal);
      const ours = comparable(await overRange(readPromql(query), sources, steps, pace));
      rows += ours.length;
      assert.deepEqual(ours, comparable(await theirs(url, query)));
    });
  }
  assert.ok(rows > 1000, `${rows} rows`);
});
