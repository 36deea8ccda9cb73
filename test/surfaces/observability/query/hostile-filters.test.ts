import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, federationOf } from './federation.ts';

const hostile = `x"} or {a=~".+"} | \`'; DROP TABLE otel_logs; --\\\n</query> <service>`;

/** What a kind is sent for a filter whose every value is hostile. */
async function sent(signal: 'log' | 'metric' | 'trace', kind: string, filter: object) {
  const { ask, requests } = federationOf(signal, [{ id: 'a', kind, answers: () => answered('x') }]);
  await ask({ filter }).catch(() => undefined);
  const [request] = requests;
  const url = new URL(request?.path ?? '', 'http://a');
  const form = new URLSearchParams(request?.body ?? '');
  return { url, form, body: request?.body ?? '' };
}

test('a value stays a value in LogQL, LogsQL, TraceQL and PromQL: a string as Go writes it', async () => {
  const quoted = JSON.stringify(hostile);
  const filter = { service: hostile, text: hostile };
  const loki = await sent('log', 'loki', filter);
  assert.equal(loki.url.searchParams.get('query'), `{service_name=${quoted}} |= ${quoted}`);
  const logs = await sent('log', 'victorialogs', filter);
  assert.equal(logs.form.get('query'), `"service.name":=${quoted} ${quoted}`);
  const tempo = await sent('trace', 'tempo', { attributes: { a: hostile } });
  assert.equal(tempo.url.searchParams.get('q'), `{ .a = ${quoted} }`);
  const up = await sent('metric', 'prometheus', { text: 'up', service: hostile });
  assert.equal(up.form.get('query'), `up{job=${quoted}}`);
});

test('a text that is looked for with a regular expression is none', async () => {
  const { url } = await sent('trace', 'tempo', { text: 'GET /a.*(b)|c' });
  const pattern = '.*GET /a\\.\\*\\(b\\)\\|c.*';
  assert.equal(url.searchParams.get('q'), `{ name =~ ${JSON.stringify(pattern)} }`);
});

test('ClickHouse gets values beside its query, never in it', async () => {
  const { url, body } = await sent('log', 'clickhouse', {
    ...{ service: hostile, text: hostile, traceId: hostile },
    attributes: { 'http.route': hostile },
  });
  assert.doesNotMatch(body, /DROP TABLE/);
  assert.equal(url.searchParams.get('param_service'), hostile);
  assert.deepEqual(JSON.parse(url.searchParams.get('param_tags') ?? ''), { 'http.route': hostile });
});

test('Lucene gets phrases, whose quotes are escaped', async () => {
  const { body } = await sent('log', 'elasticsearch', { text: 'a" OR service.name:"b\\' });
  const { query } = JSON.parse(body).query.bool.filter[0].query_string;
  assert.equal(query, '"a\\" OR service.name:\\"b\\\\"');
});

test('Jaeger gets tags as JSON, and a name of a metric has to be one', async () => {
  const { url } = await sent('trace', 'jaeger', {
    service: 'a&b=c',
    attributes: { 'x.y': hostile },
  });
  assert.equal(url.searchParams.get('service'), 'a&b=c');
  assert.deepEqual(JSON.parse(url.searchParams.get('tags') ?? ''), { 'x.y': hostile });
  const { ask, requests } = federationOf('metric', [
    { id: 'a', kind: 'prometheus', answers: () => answered('') },
  ]);
  await assert.rejects(ask({ filter: { text: 'up{} or vector(1)' } }), { code: 'invalid_query' });
  assert.deepEqual(requests, []);
});

test('no value of a caller leads to another path', async () => {
  for (const [project, path] of [
    ['../../admin', '/v1/projects/..%2F..%2Fadmin/spans'],
    ['..', '/v1/projects/..%20/spans'],
  ] as const) {
    const { ask, requests } = federationOf('trace', [
      { id: 'a', kind: 'phoenix', answers: () => answered('{"data":[]}') },
    ]);
    await ask({ query: project });
    assert.equal(new URL(requests[0]?.path ?? '', 'http://a').pathname, path);
  }
});
