import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  answerEmbedded,
  type EmbeddedRequest,
} from '../../../../runtime/surfaces/observability/embedded/answer/answer.ts';
import { Keep } from '../../../../runtime/surfaces/observability/embedded/keep/keep.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';

const now = 1_790_000_000_000;
const everything = '{__name__=~".+"}';

/** A store with series, lines and spans. */
function kept(t: TestContext) {
  const keep = new Keep({
    folder: temporaryDirectory(t),
    ...{ hours: 6, tenants: ['default'], now: () => now, onFailure: () => undefined },
  });
  const samples = Array.from({ length: 900 }, (_, place) => ({
    ...{ name: `metric_${place % 30}_total`, labels: { place: String(place) }, value: place },
  }));
  for (let ms = now - 900_000; ms <= now; ms += 15_000) keep.metrics.add(ms, samples);
  const facts = { level: 'info', service: 'agent-tool-server', source: 'server' } as const;
  for (let place = 0; place < 5000; place += 1) {
    const body = JSON.stringify({ place, text: 'ab'.repeat(400), in: { deep: { er: 1 } } });
    const time = BigInt(now - place) * 1_000_000n;
    keep.addLine('default', { ...facts, time, body, attributes: {} });
  }
  return keep;
}

async function ask(keep: Keep, path: string, parameters: object, signal: AbortSignal) {
  const query = new URLSearchParams(parameters as Record<string, string>);
  const request: EmbeddedRequest = { path: `${path}?${query}`, signal };
  return answerEmbedded({ keep, tenant: 'default', isOwner: true }, request);
}

const [start, end] = [(now - 900_000) / 1000, now / 1000];
const nanoseconds = { start: `${now - 900_000}000000`, end: `${now + 1}000000` };
const many = (text: string, count: number, between = '') => Array(count).fill(text).join(between);

/** Each of them takes far longer than others may wait. */
const costly: Readonly<Record<string, readonly [string, object]>> = {
  'an operator between all series, fifteen times': [
    '/api/v1/query_range',
    { query: `count(${many(everything, 15, ' or ')})`, start, end, step: 15 },
  ],
  'all samples of a time, again and again': [
    '/api/v1/query_range',
    { query: `sum(quantile_over_time(0.5, ${everything}[15m]))`, start, end, step: 15 },
  ],
  'five hundred sums of numbers at ten thousand steps': [
    '/api/v1/query_range',
    { query: `1${many('+1', 500)}`, start: end - 10_000, end, step: 1 },
  ],
  'lines that are read as JSON again and again': [
    '/loki/api/v1/query_range',
    { query: `{service_name=~".+"}${many(' | json', 100)}`, limit: 100, ...nanoseconds },
  ],
  'lines that are counted after that': [
    '/loki/api/v1/query_range',
    {
      query: `sum(count_over_time({service_name=~".+"}${many(' | json', 100)} [5m]))`,
      ...{ limit: 100, ...nanoseconds },
    },
  ],
};

for (const [what, [path, parameters]] of Object.entries(costly)) {
  test(`others get their turn, and a deadline is heeded: ${what}`, async (t) => {
    const keep = kept(t);
    const reason = new Error('the time is over');
    const deadline = new AbortController();
    let isOver = false;
    const asked = ask(keep, path, parameters, deadline.signal).finally(() => {
      isOver = true;
    });
    const refused = assert.rejects(asked, reason);
    // What others do meanwhile: a query that lets nobody else work is over after their first turn.
    for (let others = 0; others < 5; others += 1) {
      await turn();
      assert.equal(isOver, false, `after ${others + 1} turns of others`);
    }
    deadline.abort(reason);
    await refused;
  });
}

test('what would be looked at too often is refused, and what it would give as well', async (t) => {
  const keep = kept(t);
  const range = { start, end, step: 15 };
  const refused: readonly (readonly [string, object, RegExp])[] = [
    [
      '/api/v1/query_range',
      { query: `count(${many(everything, 100, ' or ')})`, ...range },
      /looks at too many samples/,
    ],
    ['/api/v1/query_range', { query: everything, ...range, step: 1 }, /more than 250000 samples/],
    [
      '/loki/api/v1/query_range',
      { query: `{service_name=~".+"}${many(' | json', 1500)}`, ...nanoseconds },
      /at most 200 stages/,
    ],
  ];
  for (const [path, parameters, words] of refused) {
    const { status, body } = await ask(keep, path, parameters, new AbortController().signal);
    assert.equal(status, 400, JSON.stringify(body).slice(0, 300));
    assert.match(JSON.stringify(body), words);
  }
});

test('a regular expression that is slow on a line is refused, whatever engine it has', async (t) => {
  const keep = kept(t);
  let state = 1;
  const body = Array.from({ length: 16_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return 'ab'[(state >>> 16) & 1];
  }).join('');
  const facts = { level: 'info', service: 'x', source: 'server', attributes: {} } as const;
  keep.addLine('default', { ...facts, time: BigInt(now) * 1_000_000n, body });
  const query = '{service_name="x"} |~ "(a|b)*a(a|b){900}c"';
  const answer = await ask(
    keep,
    '/loki/api/v1/query_range',
    { query, ...nanoseconds },
    new AbortController().signal,
  );
  assert.equal(answer.status, 400);
  assert.match(JSON.stringify(answer.body), /takes too long for a line/);
});
