import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { blocksIn } from '../docs/documents.ts';
import { serve } from '../runtime/cli/served.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';

const blocks = blocksIn('yaml').filter(({ document }) => document === 'docs/payments.md');

test('there are files of rules to copy', () => {
  assert.ok(blocks.length >= 4, String(blocks.length));
});

for (const { line, text } of blocks) {
  test(`a server starts with the file of rules of docs/payments.md:${line}`, async (t) => {
    const folder = temporaryDirectory(t);
    const file = join(folder, 'policy.yaml');
    writeFileSync(file, text);
    const { url } = await serve(t, {
      SERVICE_PROVIDER: 'default,github',
      SERVICE_DATA_DIR: join(folder, 'data'),
      SERVICE_POLICY_FILE: file,
      // Plans with a meter are billed by a processor, which is asked for nothing here.
      ...(/\bmeter:/.test(text) && { SERVICE_CARD_SECRET_KEY: 'sk_test_onlyfortests' }),
    });
    const { status } = await fetch(new URL('/healthz', url));
    assert.equal(status, 200);
  });
}
