import assert from 'node:assert/strict';
import test from 'node:test';
import { createService } from '../../../runtime/main.ts';
import { chooseToolMode } from '../../../runtime/offer/tool-mode.ts';

test('auto lists up to 64 tools, and leads to more by a search', () => {
  const tools = Array.from({ length: 62 }, () => ['', async () => assert.fail()] as const);
  assert.equal(chooseToolMode('auto', [{ tools: 2 }], [{ tools }]), 'direct');
  assert.equal(chooseToolMode('auto', [{ tools: 2 }, { tools: 1 }], [{ tools }]), 'search');
});

test('a mode that is asked for holds whatever the number of tools', () => {
  assert.equal(chooseToolMode('direct', [{ tools: 10_000 }], []), 'direct');
  assert.equal(chooseToolMode('search', [], []), 'search');
});

test('the vendors that are on from the start are listed, all of them together are not', async () => {
  const listed: number[] = [];
  for (const providers of ['default', 'all-providers']) {
    const env = { SERVICE_PROVIDER: providers, SERVICE_LOG_LEVEL: 'silent' };
    const { offer, life } = await createService(env);
    listed.push((await offer.catalogue.page())?.items.length ?? 0);
    await life.stop();
  }
  const [few = 0, many = 0] = listed;
  assert.ok(few > 3 && few <= 64, String(few));
  assert.equal(many, 3);
});
