import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { serveObservability } from '../observing-server.ts';

test('a credential that the collector cannot send keeps a file from being made, and is named', async (t) => {
  const secrets = temporaryDirectory(t);
  writeFileSync(join(secrets, 'good'), 'abc');
  writeFileSync(join(secrets, 'newline'), 'abc\n');
  writeFileSync(join(secrets, 'crlf'), 'abc\r\nx-evil: b');
  writeFileSync(join(secrets, 'empty'), '');
  mkdirSync(join(secrets, 'folder'));
  execFileSync('mkfifo', [join(secrets, 'pipe')]);
  const { post, address } = await serveObservability(t, {
    SERVICE_OBSERVABILITY_SECRETS_DIR: secrets,
    SERVICE_OBSERVABILITY_COLLECTOR_OUTPUT_PATH: join(temporaryDirectory(t), 'collector.yaml'),
  });
  const generate = async (secretRef: string, query: boolean) => {
    const settings = {
      ...{ name: 'L', kind: 'loki', endpoint: 'http://127.0.0.1:3100', query },
      auth: { type: 'bearer', secretRef },
    };
    const put = await fetch(new URL('/observability/providers/log/l', address()), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    assert.equal(put.status, 200, await put.text());
    return post('/observability/collector/generate', {});
  };
  const first = { id: 'l', signalType: 'log', name: 'L', kind: 'loki' };
  const made = await post('/observability/providers', {
    ...{ ...first, endpoint: 'http://127.0.0.1:3100' },
  });
  assert.equal(made.status, 201);
  for (const [secretRef, reason] of [
    ['newline', /^log\/l: the credential newline ends in a newline/],
    ['crlf', /nothing that a header can carry/],
    ['empty', /is empty/],
    ['folder', /no regular file/],
    ['pipe', /no regular file/],
    ['missing', /no file that can be read here/],
  ] as const) {
    const { status, body } = await generate(secretRef, true);
    assert.equal(status, 422, secretRef);
    assert.match(String(body['reason']), reason);
    assert.equal((await post('/observability/collector/apply', {})).status, 422, secretRef);
  }
  assert.equal((await generate('good', true)).status, 200);
  // What this server does not need itself may be readable for the collector alone.
  const unseen = await generate('missing', false);
  assert.equal(unseen.status, 200, JSON.stringify(unseen.body));
  assert.match(String(unseen.body['warnings']), /log\/l: the credential missing is no file/);
});
