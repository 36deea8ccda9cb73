import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { serveIdentity } from '../served-identity.ts';
import { doDeeds } from './deeds.ts';

const script = fileURLToPath(new URL('unwritten-process.ts', import.meta.url));

test('no effect is without its entry when the server is killed between the two', async (t) => {
  const dataDir = temporaryDirectory(t);
  const child = spawn(process.execPath, [script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const [base] = (await once(createInterface(child.stdout), 'line')) as [string];
  const expected = await doDeeds(base);
  child.kill('SIGKILL');
  await closed;

  const { service } = await serveIdentity(t, { SERVICE_DATA_DIR: dataDir });
  const log = await service.engines.audit.open();
  const wanted = expected.map((each) => each.join(' ')).toSorted();
  const written = async () => {
    const { records } = await log.list({ tenant: 'default', category: 'identity', limit: 100 });
    return records
      .filter(({ entry: { action } }) => action !== 'TOKEN_ISSUED' && action !== 'KEY_ROTATED')
      .map(({ entry }) => `${entry.action} ${entry.subject}`)
      .toSorted();
  };
  while ((await written()).length < wanted.length) await new Promise((end) => setTimeout(end, 50));
  assert.deepEqual(await written(), wanted);
  t.diagnostic(`${new Set(expected.map(([action]) => action)).size} kinds of entries, none lost`);
});
