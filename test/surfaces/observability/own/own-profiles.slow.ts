import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { stop } from '../../../../runtime/commands/service-life.ts';
import { createMetrics } from '../../../../runtime/observe/metrics.ts';
import { createLosses } from '../../../../runtime/observe/otlp/losses.ts';
import { ProfileExport } from '../../../../runtime/observe/profiles/profile-export.ts';
import { startFakeBackEnd } from '../fake-back-end.ts';
import { serveObservability } from '../observing-server.ts';

/** Long enough for some samples, however few there are in a second. */
function keepBusyForProfile(): void {
  const end = Date.now() + 400;
  while (Date.now() < end) JSON.parse('{"a":[1,2,3]}');
}

test('without an address, nothing is profiled and the inspector is not loaded', async () => {
  const script = `
    import { createService } from './runtime/main.ts';
    const { engines } = await createService({ SERVICE_ENABLE_OBSERVABILITY: '1', SERVICE_PROVIDER: 'osv' });
    console.log(String(engines.profiles), process.moduleLoadList.some((each) => each.endsWith(' inspector/promises')));
    const { ProfileExport } = await import('./runtime/observe/profiles/profile-export.ts');
    const profiles = new ProfileExport({ address: 'http://127.0.0.1:9', intervalMs: 60000 }, { lost() {} }, console);
    await profiles.start();
    console.log(process.moduleLoadList.some((each) => each.endsWith(' inspector/promises')));
    // V8 may crash where a process ends while it is profiled.
    await profiles.stop();
    process.exit(0);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--input-type=module-typescript', '--eval', script],
  ]);
  assert.deepEqual(stdout.trim().split(/\s+/), ['undefined', 'false', 'true']);
});

test('what the server works at is pushed as a profile, without a path of the machine', async (t) => {
  const got: { url: URL; headers: IncomingHttpHeaders; text: string }[] = [];
  const receiver = await startFakeBackEnd(t, (request, response) => {
    const chunks: string[] = [];
    request.on('data', (chunk) => chunks.push(String(chunk)));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://receiver');
      got.push({ url, headers: request.headers, text: chunks.join('') });
      response.end();
    });
  });
  const settings = {
    PYROSCOPE_SERVER_ADDRESS: `${receiver}/base/`,
    PYROSCOPE_APPLICATION_NAME: 'tools-a',
    PYROSCOPE_AUTH_TOKEN: 'a-token-of-a-test',
    PYROSCOPE_TENANT_ID: 'team-a',
  };
  // No server waits long for its last profile to be taken: where the machine is busy, another one tries.
  while (got.length === 0) {
    const { address, service } = await serveObservability(t, settings);
    await (await fetch(`${address()}/observability/providers`)).text();
    keepBusyForProfile();
    await stop(service, undefined);
  }

  const last = got.at(-1);
  assert.ok(last);
  const { from, until, ...query } = Object.fromEntries(last.url.searchParams);
  assert.equal(last.url.pathname, '/base/ingest');
  const name = /^tools-a\{version=[\w.-]+\}$/;
  assert.match(query['name'] ?? '', name);
  assert.deepEqual(
    { ...query, name: '' },
    {
      ...{ format: 'folded', name: '', sampleRate: '100', spyName: 'nodespy', units: 'samples' },
    },
  );
  assert.ok(Number(from) > 1e9 && Number(from) < Number(until), `${from} ${until}`);
  assert.equal(last.headers.authorization, 'Bearer a-token-of-a-test');
  assert.equal(last.headers['x-scope-orgid'], 'team-a');

  const lines = got.flatMap(({ text }) => text.trimEnd().split('\n'));
  for (const line of lines) assert.match(line, /^[!-~]+ [1-9]\d*$/);
  const hot = /keepBusyForProfile@test\/surfaces\/observability\/own\/own-profiles\.slow\.ts:\d+/;
  const seen = lines.filter((line) => hot.test(line)).map((line) => Number(line.split(' ')[1]));
  assert.ok(seen.reduce((sum, count) => sum + count, 0) >= 3, lines.join('\n'));
  for (const frame of lines.flatMap((line) => line.replace(/ \d+$/, '').split(';'))) {
    const [, file] = /@([^@]*(?:@[^@/]+\/[^@]*)?):\d+$/.exec(frame) ?? [];
    if (file)
      assert.match(file, /^(?:runtime|generated|test|node_modules)\/|^node:|^\(elsewhere\)$/);
  }
  assert.doesNotMatch(lines.join('\n'), /file:|\/home\/|\(idle\)/);
  assert.ok(!lines.join('\n').includes(process.cwd()));
});

test('where receivers of profiles hang or refuse, the end waits for none, and the loss is counted', async (t) => {
  const hanging = await startFakeBackEnd(t, () => {});
  const refusing = await startFakeBackEnd(t, (_, response) => response.writeHead(403).end('no'));
  const addresses = [hanging, refusing, 'http://127.0.0.1:9'];
  const told: unknown[] = [];
  const log = { info() {}, warn: (what: object) => told.push(what) };
  const metrics = createMetrics();
  const fate = createLosses(metrics, log)('profiles');
  for (const address of addresses) {
    const settings = { address, application: 'a', version: '1', tenant: undefined };
    const authorization = 'Bearer a-token-of-a-test';
    const profiles = new ProfileExport(
      { ...settings, authorization, intervalMs: 60_000 },
      fate,
      log,
    );
    await profiles.start();
    keepBusyForProfile();
    // Were the one that hangs waited for, this test would not come to its end.
    await profiles.stop();
  }
  const { text } = await metrics.expose('text/plain');
  assert.match(text, /^service_telemetry_lost_total\{signal="profiles",reason="failed"\} 3$/m);
  assert.deepEqual(told, [{ signal: 'profiles', why: 'failed', reason: 'not taken in time' }]);
});
