import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { validateWith } from '../../../runtime/surfaces/observability/collector-check/binary.ts';
import { serveObservability } from './observing-server.ts';
import { collectorPlace, collectorProgram, runCollector, startSink } from './real/collector.ts';
import { freePorts } from './real/programs.ts';
import { sendSpans, sendWhile } from './real/spans.ts';
import { badConditions, goodConditions } from './span-conditions.ts';

// The program comes from OTEL_COLLECTOR: what collector-builder.yaml describes.

type Json = Record<string, unknown>;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(50);
}

const otlp = (id: string, url: string, more: object = {}) => ({
  ...{ id, signalType: 'trace', kind: 'otlp', endpoint: url, ...more },
});

test('spans reach every back end of their signal, and agents alone the one for models', async (t) => {
  const [first, second, models] = [await startSink(t), await startSink(t), await startSink(t)];
  const place = await collectorPlace(t);
  const server = await serveObservability(t, place.env);
  const secret = { auth: { type: 'bearer', env: 'OBS_SINK' } };
  await server.register(otlp('first', first.url, secret));
  await server.register(otlp('second', second.url));
  await server.register(otlp('models', models.url, { spanFilter: 'gen_ai_or_service' }));
  // Before there is a collector, the file is written and nobody can be told of it.
  const preview = await server.post('/observability/collector/generate', {});
  assert.equal(preview.status, 200, JSON.stringify(preview.body));
  assert.equal(preview.body['validator'], 'otelcol');
  assert.equal(existsSync(place.config), false);
  writeFileSync(place.config, String((preview.body['generated'] as Json)['text']));
  await runCollector(t, place, { OBS_SINK: 'the-secret' });
  const applied = await server.post('/observability/collector/apply', {});
  assert.equal(applied.body['changed'], false, JSON.stringify(applied.body));

  const plain = await sendSpans(place.otlp, 5);
  const agents = await sendSpans(place.otlp, 3, { 'gen_ai.operation.name': 'chat' });
  assert.deepEqual([plain.length, agents.length], [5, 3]);
  const all = [...plain, ...agents];
  await until(() => all.every((id) => first.spans().has(id) && second.spans().has(id)));
  await until(() => agents.every((id) => models.spans().has(id)));
  assert.equal(models.spans().size, 3);
  assert.doesNotMatch(readFileSync(place.config, 'utf8'), /the-secret/);
});

test('a new file is loaded under load, and no span is lost that was acknowledged', async (t) => {
  const [first, second] = [await startSink(t), await startSink(t)];
  const place = await collectorPlace(t);
  const server = await serveObservability(t, place.env);
  await server.register(otlp('first', first.url));
  const preview = await server.post('/observability/collector/generate', {});
  writeFileSync(place.config, String((preview.body['generated'] as Json)['text']));
  await runCollector(t, place);
  const sending = sendWhile(place.otlp, 2000);
  await until(() => sending.acknowledged.length > 1000);

  await server.register(otlp('second', second.url));
  const applied = await server.post('/observability/collector/apply', {});
  assert.equal(applied.status, 200, JSON.stringify(applied.body));
  assert.deepEqual(
    [applied.body['changed'], applied.body['state'], applied.body['validator']],
    [true, 'active', 'otelcol'],
  );
  const { mode, status, verifiedAt } = applied.body['reload'] as Json;
  assert.deepEqual([mode, status], ['sighup', 'reloaded']);
  assert.ok(Date.parse(String(verifiedAt)) > 0);
  const before = sending.acknowledged.length;
  await until(() => sending.acknowledged.length > before + 1000);
  const { acknowledged } = await sending.stop();
  await until(() => acknowledged.every((id) => first.spans().has(id)));
  assert.ok(acknowledged.slice(-20).some((id) => second.spans().has(id)));

  const [entry] = await server.written('OBSERVABILITY_COLLECTOR_CONFIG_APPLIED');
  assert.equal(entry?.payload['reload_mode'], 'sighup');
  assert.deepEqual(entry?.payload['provider_ids'], ['trace/first', 'trace/second']);
  assert.match(String(entry?.payload['previous_sha256']), /^[0-9a-f]{64}$/);
});

test('what could not be sent stays on disk while the collector is away', async (t) => {
  const place = await collectorPlace(t);
  const server = await serveObservability(t, place.env);
  const [port = 0] = await freePorts(1);
  await server.register(otlp('sink', `http://127.0.0.1:${port}`));
  const preview = await server.post('/observability/collector/generate', {});
  writeFileSync(place.config, String((preview.body['generated'] as Json)['text']));
  const collector = await runCollector(t, place);
  const ids = await sendSpans(place.otlp, 50);
  assert.equal(ids.length, 50);
  await collector.kill();
  const sink = await startSink(t, port);
  await runCollector(t, place);
  await until(() => ids.every((id) => sink.spans().has(id)));
});

test('a collector that ends with a new file finds the former one when it is started again', async (t) => {
  const sink = await startSink(t);
  const place = await collectorPlace(t);
  const server = await serveObservability(t, place.env);
  await server.register(otlp('sink', sink.url));
  const preview = await server.post('/observability/collector/generate', {});
  const former = String((preview.body['generated'] as Json)['text']);
  writeFileSync(place.config, former);
  const collector = await runCollector(t, place);

  // A file that can be built and not run: its port is somebody else's.
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as { port: number };
  const other = await serveObservability(t, {
    ...place.env,
    SERVICE_COLLECTOR_GRPC_ENDPOINT: `127.0.0.1:${port}`,
  });
  await other.register(otlp('sink', sink.url));
  const refused = await other.post('/observability/collector/apply', {});
  assert.equal(refused.status, 502, JSON.stringify(refused.body));
  assert.equal(refused.body['error'], 'reload_failed');
  assert.equal(refused.body['state'], 'rolled_back');
  await collector.ended;
  assert.equal(readFileSync(place.config, 'utf8'), former);
  const [entry] = await other.written('OBSERVABILITY_COLLECTOR_RELOAD_FAILED');
  assert.equal(entry?.outcome, 'failed');
  assert.equal(entry?.payload['reload_mode'], 'sighup');
  assert.deepEqual(await other.written('OBSERVABILITY_COLLECTOR_CONFIG_APPLIED'), []);

  await runCollector(t, place);
  const ids = await sendSpans(place.otlp, 4);
  await until(() => ids.every((id) => sink.spans().has(id)));
});

test('a file that the collector refuses is not written, and the reason is told', async (t) => {
  const place = await collectorPlace(t);
  const server = await serveObservability(t, {
    ...place.env,
    // It has no receiver for browsers, which the file asks for.
    SERVICE_COLLECTOR_BROWSER_ENDPOINT: `127.0.0.1:${(await freePorts(1))[0]}`,
  });
  await server.register(otlp('sink', 'http://127.0.0.1:4318'));
  const refused = await server.post('/observability/collector/apply', {});
  assert.equal(refused.status, 422, JSON.stringify(refused.body));
  assert.equal(refused.body['error'], 'validation_failed');
  assert.match(String(refused.body['reason']), /the collector refuses the file: .*faro/);
  assert.equal(existsSync(place.config), false);
  assert.deepEqual(readdirSync(dirname(place.config)), []);
  const [entry] = await server.written('OBSERVABILITY_COLLECTOR_CONFIG_REJECTED');
  assert.equal(entry?.payload['validator'], 'otelcol');
});

test('a process that is no collector is not signalled', async (t) => {
  const place = await collectorPlace(t);
  const server = await serveObservability(t, place.env);
  await server.register(otlp('sink', 'http://127.0.0.1:4318'));
  for (const [pid, reason] of [
    [String(process.pid), /is this server/],
    [String(process.ppid), /is this server/],
    ['1', /above 1/],
    ['x', /above 1/],
    ['2147483646', /there is no process 2147483646/],
  ] as const) {
    writeFileSync(place.pidFile, pid);
    const refused = await server.post('/observability/collector/apply', {});
    assert.equal(refused.status, 502, pid);
    assert.match(String(refused.body['reason']), reason);
    assert.equal(existsSync(place.config), false);
  }
});

test('the file says what the registry says, as the collector reads it', async (t) => {
  const place = await collectorPlace(t);
  const server = await serveObservability(t, place.env);
  const spanFilter = `attributes["a"] == "$\{env:HOME} $\{file:/etc/passwd} $X"`;
  await server.register(otlp('odd', 'http://127.0.0.1:4318', { spanFilter }));
  const preview = await server.post('/observability/collector/generate', {});
  assert.equal(preview.status, 200, JSON.stringify(preview.body));
  const file = parse(String((preview.body['generated'] as Json)['text'])) as {
    processors: Record<string, { traces?: { span: string[] } }>;
  };
  const spans = Object.values(file.processors).flatMap((each) => each.traces?.span ?? []);
  assert.deepEqual(spans, [spanFilter.replaceAll('$', '$$$$')]);
});

test('filters of spans are refused that the collector does not read, and no others', async () => {
  const verdictOn = (span: readonly string[]) =>
    validateWith(
      collectorProgram(),
      JSON.stringify({
        receivers: { otlp: { protocols: { http: { endpoint: '127.0.0.1:0' } } } },
        processors: {
          filter: { traces: { span: span.map((each) => each.replaceAll('$', '$$$$')) } },
        },
        exporters: { otlp_http: { endpoint: 'http://127.0.0.1:4999' } },
        service: {
          pipelines: {
            traces: { receivers: ['otlp'], processors: ['filter'], exporters: ['otlp_http'] },
          },
        },
      }),
    );
  const { ok, said } = await verdictOn(goodConditions);
  assert.ok(ok, said);
  // It has no bound of levels.
  for (const [condition] of badConditions.filter(([, reason]) => !reason.includes('levels'))) {
    assert.equal((await verdictOn([condition])).ok, false, condition);
  }
});
