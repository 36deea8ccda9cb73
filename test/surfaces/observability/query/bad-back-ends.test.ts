import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutboundError } from '#contract/house/outbound';
import { answered, federationOf, type TestBackEnd } from './federation.ts';

const secret = 'Bearer abcdefghij0123456789abcdefghij';
const asked = { filter: { service: 'checkout' }, selection: { mode: 'all' } } as const;
const good = '{"status":"success","data":{"resultType":"streams","result":[]}}';

/** What a back end answers, and what is said of it. */
const answers: Readonly<Record<string, readonly [string, number, string, RegExp]>> = {
  'a page of HTML': [
    '<!DOCTYPE html><html>login',
    200,
    'unusable_answer',
    /a page of HTML, not JSON/,
  ],
  'half a body': [good.slice(0, 40), 200, 'unusable_answer', /ends in the middle/],
  nothing: ['', 200, 'unusable_answer', /it is empty/],
  'plain text': ['ok', 200, 'unusable_answer', /it is not JSON/],
  'other JSON': ['{"status":"success"}', 200, 'unusable_answer', /has no data.result/],
  'lines without a time': [
    '{"data":{"result":[{"stream":{},"values":[["soon","x"]]}]}}',
    ...([200, 'unusable_answer', /no time in nanoseconds/] as const),
  ],
  'values that are none': [
    '{"data":{"result":[{"stream":{},"values":{"a":1}}]}}',
    ...([200, 'unusable_answer', /stands no list/] as const),
  ],
  'series to a selector of lines': [
    '{"data":{"resultType":"matrix","result":[{"metric":{"a":"b"},"values":[[1,"1"]]}]}}',
    ...([200, 'unusable_answer', /series, where lines of the log were asked for/] as const),
  ],
  'a redirection': ['', 302, 'unusable_answer', /leads elsewhere and is not followed/],
  '500 with secrets': [`panic: ${secret}`, 500, 'unavailable', /failed \(status 500\)$/],
  '401 with secrets': [`no such token ${secret}`, 401, 'unauthorized', /refuses the credential/],
  '400 with secrets': [
    `parse error at "${secret}"`,
    ...([
      400,
      'invalid_query',
      /does not understand the query: parse error at "Bearer …"/,
    ] as const),
  ],
  '429': ['slow down', 429, 'too_large', /more than the back end allows/],
  '413': ['', 413, 'too_large', /more than the back end allows/],
};

for (const [what, [body, status, code, message]] of Object.entries(answers)) {
  test(`a back end that answers ${what}: named, and nothing of it repeated`, async () => {
    const { ask } = federationOf('log', [
      { id: 'bad', kind: 'loki', answers: () => answered(body, status) },
      { id: 'good', kind: 'loki', answers: () => answered(good) },
    ]);
    const result = await ask(asked);
    const { providers, partial, complete, warnings } = result;
    assert.deepEqual([partial, complete], [true, ['good']]);
    assert.equal(providers[0]?.error?.code, code);
    assert.match(providers[0]?.error?.message ?? '', message);
    assert.match(warnings[0] ?? '', /^bad: /);
    assert.doesNotMatch(JSON.stringify(result), /abcdefghij|panic/);
  });
}

test('JSON lines that were cut off: what came whole is given, and the answer is partial', async () => {
  const line = '{"_time":"2026-09-21T14:13:19Z","_msg":"whole"}\n';
  const { ask } = federationOf('log', [
    { id: 'a', kind: 'victorialogs', answers: () => answered(`${line}{"_time":"2026-09-21T1`) },
  ]);
  const { rows, partial, providers, warnings } = await ask(asked);
  assert.deepEqual([rows, partial, providers[0]?.status], [1, true, 'partial']);
  assert.match(String(warnings), /in the middle of a line/);
});

const failures: readonly (readonly [string, TestBackEnd['answers'], string, number])[] = [
  ['the query', () => answered('parse error', 400), 'invalid_query', 400],
  ['too much', () => answered('', 413), 'payload_too_large', 413],
  ['time', () => fail('timeout'), 'query_timeout', 504],
  ['the connection', () => fail('unreachable'), 'provider_unavailable', 502],
  ['the address', () => fail('refused'), 'provider_unavailable', 502],
  ['the size', () => fail('too_large'), 'payload_too_large', 413],
];

function fail(fault: OutboundError['fault']): never {
  throw new OutboundError(fault, 'connect to 10.0.0.7 failed');
}

for (const [what, answer, code, status] of failures) {
  test(`no back end answers because of ${what}: ${code}, each named`, async () => {
    const backEnd = (id: string) => ({ id, kind: 'loki', answers: answer });
    const { ask } = federationOf('log', [backEnd('a'), backEnd('b')]);
    await assert.rejects(ask(asked), (error: Error & { code?: string; status?: number }) => {
      assert.deepEqual([error.code, error.status], [code, status]);
      assert.match(error.message, /^no provider answered: a: .*; b: /);
      assert.doesNotMatch(error.message, /10\.0\.0\.7/);
      return true;
    });
  });
}

test('with partial forbid, one that fails is enough', async () => {
  const { ask } = federationOf('log', [
    { id: 'a', kind: 'loki', answers: () => answered(good) },
    { id: 'b', kind: 'loki', answers: () => fail('timeout') },
  ]);
  await assert.rejects(ask({ ...asked, partial: 'forbid' }), { code: 'provider_unavailable' });
});

test('what a kind cannot be asked is told, and the others are asked', async () => {
  const { ask, requests } = federationOf('trace', [
    { id: 'tempo', kind: 'tempo', answers: () => answered('{"traces":[]}') },
    { id: 'jaeger', kind: 'jaeger', answers: () => answered('{"data":[]}') },
    { id: 'plain', kind: 'otlp', answers: () => answered('') },
    { id: 'new', kind: 'unheard', answers: () => answered('') },
  ]);
  const { providers } = await ask({ traceql: '{}', selection: { mode: 'all' } });
  assert.deepEqual(
    providers.map(({ status, reason }) => reason ?? status),
    [
      'ok',
      'it speaks tags, not traceql',
      'Any receiver of OTLP over HTTP keeps them, but cannot be asked',
      'its kind unheard is unknown',
    ],
  );
  assert.equal(requests.length, 1);
});

test('what is asked wrongly is refused before anybody is asked', async () => {
  const { ask, requests } = federationOf('log', [
    { id: 'a', kind: 'loki', answers: () => answered(good) },
  ]);
  const filter = { service: 'checkout' };
  const wrong = [
    [{}, /one of logql, query, filter or queries is needed/],
    [{ logql: '{a="b"}', filter }, /only one of logql, query, filter/],
    [{ filter: {} }, /filter asks for nothing/],
    [{ filter, timeRange: { startMs: 5, endMs: 5 } }, /must lie after its start/],
    [{ filter, timeRange: { from: 'now-48h' } }, /it may span 24 h, but spans 48 h/],
    [{ filter, timeRange: { from: 'yesterday' } }, /from must be a time such as now-1h/],
  ] as const;
  for (const [input, message] of wrong) {
    await assert.rejects(ask(input), { code: 'invalid_request', status: 400, message });
  }
  assert.deepEqual(requests, []);
});
