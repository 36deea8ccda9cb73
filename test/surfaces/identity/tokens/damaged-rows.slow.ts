import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { Agent } from '../claiming-agent.ts';
import { serveIdentity } from '../served-identity.ts';

// One row that cannot be read, as a defect of a disk or a former version may leave it, takes neither
// the others nor the server along.

/** More than can be read as a number. */
const far = 9_007_199_254_740_991_000n;

const damages = [
  ['identity_watermark', 'not_before', far],
  ['identity_signing_key', 'active_at', far],
  ['identity_signing_key', 'created_at', far],
  ['identity_signing_key', 'public', 'x{'],
  ['identity_signing_key', 'alg', 'x{'],
  ['identity_signing_key', 'private', 'x{'],
] as const;

test('a server goes on where a row of identity is damaged, and says which', async (t) => {
  const dataDir = temporaryDirectory(t);
  const env = { SERVICE_DATA_DIR: dataDir, SERVICE_AUTH: 'required' };
  const served = async () => {
    const ends: (() => unknown)[] = [];
    const server = await serveIdentity(
      { after: (end: () => unknown) => void ends.push(end) } as never,
      {
        ...env,
        SERVICE_REGISTRATIONS_PER_NETWORK: '100',
      },
    );
    await server.service.engines.audit.open();
    const stop = async () => {
      for (const end of ends.toReversed()) await end();
    };
    return { ...server, stop };
  };
  // It keeps the clock while others come and go.
  await serveIdentity(t);
  const first = await served();
  await new Agent(first.base).register({ type: 'anonymous' });
  const { claimToken: _, id } = await new Agent(first.base).register({ type: 'anonymous' });
  await first.service.commands['agents']?.(['revoke', id], {});
  await first.stop();

  for (const [table, column, value] of damages) {
    const what = `${table}.${column}`;
    let kid = '';
    {
      using database = new DatabaseSync(join(dataDir, 'store.db'));
      const key = database.prepare("select kid from identity_signing_key where state = 'active'");
      kid = String(key.get()?.['kid']);
      const damage = database.prepare(
        `update ${table} set ${column} = ? ${table === 'identity_signing_key' ? "where state = 'active'" : ''}`,
      );
      assert.equal(damage.run(value).changes, 1, what);
    }
    const { base, service, stop } = await served();
    const error = t.mock.method(service.engines.log, 'error', () => {});
    assert.equal((await fetch(`${base}/readyz`)).status, 200, what);
    assert.equal((await fetch(`${base}/.well-known/jwks.json`)).status, 200, what);
    const agent = new Agent(base);
    const { assertion } = await agent.register({ type: 'anonymous' });
    const issued = await agent.exchange(assertion);
    assert.equal(issued.status, 200, `${what}: ${JSON.stringify(issued.body)}`);
    assert.equal((await agent.whoami(issued.body['access_token'])).status, 200, what);
    if (table === 'identity_signing_key') {
      const told = JSON.stringify(error.mock.calls.map(({ arguments: words }) => words));
      assert.ok(told.includes(kid), `${what}: ${told}`);
    }
    error.mock.restore();
    await stop();
  }
});
