import assert from 'node:assert/strict';
import test from 'node:test';
import { createService } from '../../../runtime/main.ts';
import { chooseToolMode } from '../../../runtime/offer/tool-mode.ts';

test('auto lists up to 64 tools, and leads to more by a search', () => {
  assert.equal(chooseToolMode('auto', 64), 'direct');
  assert.equal(chooseToolMode('auto', 65), 'search');
});

test('a mode that is asked for holds whatever the number of tools', () => {
  assert.equal(chooseToolMode('direct', 10_000), 'direct');
  assert.equal(chooseToolMode('search', 1), 'search');
});

test('the vendors that are on from the start are listed, all of them together are not', async () => {
  const listed: number[] = [];
  for (const providers of ['default', 'all-providers']) {
    const env = { SERVICE_PROVIDER: providers, SERVICE_LOG_LEVEL: 'silent' };
    const { catalogue, outbound } = await createService(env);
    listed.push((await catalogue.page())?.items.length ?? 0);
    await outbound.close(0);
  }
  const [few = 0, many = 0] = listed;
  assert.ok(few > 3 && few <= 64, String(few));
  assert.equal(many, 3);
});
