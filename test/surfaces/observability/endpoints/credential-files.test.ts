import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { OutboundError } from '#contract/house/outbound';
import { createProviderClient } from '../../../../runtime/surfaces/observability/endpoints/back-ends.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';

test('a credential that cannot be read is named as such, and a pipe is not waited for', async (t) => {
  const secretsDir = temporaryDirectory(t);
  mkdirSync(join(secretsDir, 'folder'));
  execFileSync('mkfifo', [join(secretsDir, 'pipe')]);
  writeFileSync(join(secretsDir, 'large'), 'x'.repeat(100_000));
  writeFileSync(join(secretsDir, 'empty'), '');
  writeFileSync(join(secretsDir, 'lines'), 'a\r\nx-evil: b');
  writeFileSync(join(secretsDir, 'good'), 'abc\n');
  const sent: unknown[] = [];
  const backEnds = {
    check: async () => {},
    tlsFaults: async () => [],
    close: async () => {},
    fetch: async (_: string, { headers }: { headers?: object }) => {
      sent.push(headers);
      return { status: 200, headers: {}, body: Buffer.from('') };
    },
  };
  const client = createProviderClient(backEnds, { prefixes: [], secretsDir }, () => undefined);
  const fetch = (secretRef: string) =>
    client.fetch(
      {
        ...{ tenant: 'default', endpoint: 'http://a', tls: {} },
        auth: { type: 'bearer', secretRef },
      },
      { path: '/', maxBytes: 1 },
    );
  for (const name of ['pipe', 'folder', 'missing', 'large', 'empty', 'lines']) {
    await assert.rejects(fetch(name), (error) => {
      assert.ok(error instanceof OutboundError, name);
      assert.equal(error.fault, 'no_credential', name);
      assert.ok(!error.message.includes(secretsDir), error.message);
      return true;
    });
  }
  assert.deepEqual(sent, []);
  await fetch('good');
  assert.deepEqual(sent, [{ accept: 'application/json', authorization: 'Bearer abc' }]);
});
