import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'node:test';
import { createService } from '../../../runtime/main.ts';
import { startCli } from '../cli/run-cli.ts';
import { temporaryDirectory } from './temporary-directory.ts';

test('GET /readyz is 503 while the store does not answer, and 200 while it does', async (t) => {
  const service = await createService({
    SERVICE_DATA_DIR: join(temporaryDirectory(t), 'data'),
    SERVICE_PROVIDER: 'osv',
    SERVICE_LOG_LEVEL: 'silent',
  });
  t.after(async () => {
    await service.http.close();
    await service.engines.audit.close();
    await service.vendors.outbound.close(0);
  });
  const storeCheck = async () => {
    const reply = await service.http.inject('/readyz');
    const { checks } = reply.json<{ checks: { name: string; ok: boolean }[] }>();
    return { status: reply.statusCode, ok: checks.find(({ name }) => name === 'store')?.ok };
  };
  assert.deepEqual(await storeCheck(), { status: 503, ok: false });
  await service.engines.store.open();
  assert.equal((await storeCheck()).ok, true);
  await service.engines.store.close();
  assert.deepEqual(await storeCheck(), { status: 503, ok: false });
});

test('a server that was stopped leaves the data directory to the next one', async (t) => {
  const env = {
    PORT: '0',
    SERVICE_PROVIDER: 'osv',
    SERVICE_DATA_DIR: join(temporaryDirectory(t), 'data'),
  };
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
    const child = startCli(['serve'], env);
    t.after(() => child.kill('SIGKILL'));
    let text = '';
    for await (const chunk of child.stdout ?? []) {
      text += chunk;
      if (text.includes('Ctrl+C')) break;
    }
    assert.match(text, /listens on/);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    assert.equal(code, signal === 'SIGTERM' ? 0 : null);
  }
});
