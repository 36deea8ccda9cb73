import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});

/** What is needed for some calls, and for no list. */
const later = [
  /\/surfaces\/identity\/open-/,
  /\/generated\/providers\/[^/]+\/(?!index\.)[^/]+$/,
  /\/node_modules\/(?:ajv|jose|kysely|nodemailer|openid-client|pg|prom-client|undici)\//,
];

test('a server where nobody has to bring a token lists all tools without what only calls need', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'first-list-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const { createService } = await import('../../../runtime/main.ts');
  const service = await createService({
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_PROVIDER: 'all-providers',
    SERVICE_TOOL_MODE: 'direct',
  });
  t.after(() => service.life.stop());
  const page = await service.offer.catalogue.page();
  assert.ok(page && page.items.length > 100, 'they are listed');
  assert.ok(
    loaded.some((url) => url.includes('/runtime/surfaces/identity/')),
    'identity is there',
  );
  assert.deepEqual(
    loaded.filter((url) => later.some((each) => each.test(url))),
    [],
  );
});
