import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { storeWith } from '#contract/house/store';
import type { ObservabilityTables } from '../../../../generated/surfaces/observability/tables.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { serveObservability } from '../observing-server.ts';

type Json = Record<string, unknown>;

const good = { id: 'good', signalType: 'log', kind: 'loki', endpoint: 'http://127.0.0.1:3100' };
const bad = { ...good, id: 'bad' };

/** What may be kept of a back end that would be refused now, and what is said of it. */
const kept: Readonly<Record<string, readonly [Json, string, RegExp]>> = {
  'an address of a cloud': [
    { endpoint: 'http://169.254.169.254:3100' },
    'endpoint',
    /nothing may lead to/,
  ],
  'no URL': [{ endpoint: 'nowhere' }, 'endpoint', /no absolute URL/],
  'a push to the collector itself': [
    { pushUrl: 'http://127.0.0.1:4318/v1/logs' },
    'pushUrl',
    /the collector takes telemetry there/,
  ],
  'an ingest address in blanks': [
    { otlpEndpoint: 'http://127.0.0.1:4999/\n- evil' },
    'otlpEndpoint',
    /blanks/,
  ],
  'a filter that the collector cannot read': [
    { spanFilter: 'true\n  evil: x' },
    'spanFilter',
    /control character/,
  ],
  'a kind that is gone': [{ kind: 'cassette' }, 'kind', /no kind cassette any more/],
};

test('a back end that is kept with what is refused now costs itself alone', async (t) => {
  const folder = join(temporaryDirectory(t), 'collector');
  mkdirSync(folder);
  const file = join(folder, 'collector.yaml');
  const { post, get, register, call, service } = await serveObservability(t, {
    SERVICE_OBSERVABILITY_COLLECTOR_OUTPUT_PATH: file,
  });
  await register(good);
  await register(bad);
  const { db } = storeWith<ObservabilityTables>(service.engines.store);
  const { entry } = await db
    .selectFrom('observability_provider')
    .select('entry')
    .where('id', '=', 'bad')
    .executeTakeFirstOrThrow();
  const run = service.commands['observability'] ?? assert.fail();

  for (const [what, [more, field, reason]] of Object.entries(kept)) {
    await t.test(what, async () => {
      await db
        .updateTable('observability_provider')
        .set({ entry: JSON.stringify({ ...JSON.parse(entry), ...more }) })
        .where('id', '=', 'bad')
        .execute();

      const { status, body } = await post('/observability/collector/apply', {});
      assert.equal(status, 200, JSON.stringify(body));
      const { leftOut, providerIds } = body['generated'] as {
        leftOut: Json[];
        providerIds: Json[];
      };
      assert.deepEqual(providerIds, ['log/good']);
      assert.deepEqual([leftOut[0]?.['provider'], leftOut[0]?.['field']], ['log/bad', field]);
      assert.match(String(leftOut[0]?.['reason']), reason);
      const text = readFileSync(file, 'utf8');
      assert.match(text, /log_good/);
      assert.doesNotMatch(text, /log_bad|evil/);

      const shown = await call('observability_generate_collector_config', {});
      const { diff } = shown.structuredContent as { diff: Json };
      assert.deepEqual(diff['leftOut'], ['log/bad']);
      assert.match(await run(['collector'], {}), /\n# log\/bad is left out: [^\n]*$/);

      const checked = await post('/observability/providers/log/bad/check', {});
      const { health } = checked.body as { health: Json };
      assert.notEqual(health['status'], 'healthy');
      const told = `the file of the collector leaves it out: its ${field} is refused`;
      assert.equal(health['details'], told);
      const all = (await get('/observability/health')).body['providers'] as { health: Json }[];
      assert.ok(all.some((each) => each.health['details'] === told));

      const found = JSON.parse(await run(['doctor'], {})) as { kind: string; text: string }[];
      const [problem, ...others] = found.filter(({ kind }) => kind === 'problem');
      assert.deepEqual(others, []);
      assert.match(problem?.text ?? '', /^log\/bad: the file of the collector leaves it out: /);
      assert.match(problem?.text ?? '', reason);
    });
  }

  await t.test('where nobody is left, all that are left out are named', async () => {
    await call('observability_remove_provider', { id: 'good', signalType: 'log' });
    const { status, body } = await post('/observability/collector/generate', {});
    assert.equal(status, 422);
    assert.match(String(body['reason']), /no enabled back end .*; log\/bad.kind: there is no kind/);
  });
});
