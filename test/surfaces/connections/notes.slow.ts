import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeWith } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { freePort } from '../identity/outbox/mail-server.ts';
import { type ServedIdentity, serveIdentity } from '../identity/served-identity.ts';
import { type Dialect, dialects } from './dialects.ts';
import { agentOf, call, consentAt } from './people.ts';
import { settingsOf, startVendor } from './vendor.ts';

// What becomes of connections is written down once, wherever the server was cut off.

const id = 'github';
const dialect = dialects.find((each) => each.id === id) as Dialect;

async function entriesOf({ service }: ServedIdentity, action: string) {
  const log = await service.engines.audit.open();
  return (await log.list({ action, limit: 10 })).records.map(({ entry }) => entry);
}

test('a renewal that failed is written down by the server that starts after a crash, and each note once', async (t) => {
  const port = await freePort();
  const vendor = await startVendor(t, dialect, `http://127.0.0.1:${port}`);
  const env = {
    ...settingsOf(dialect, vendor),
    ...{ PORT: String(port), SERVICE_AUTH: 'required', SERVICE_PROVIDER: id },
    ...{ SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8', SERVICE_ALLOW_INSECURE_FETCH: '1' },
    SERVICE_DATA_DIR: `${temporaryDirectory(t)}/data`,
  };
  // It keeps the clock of the test going while the other one restarts.
  await serveIdentity(t);
  const stops: (() => unknown)[] = [];
  const first = await serveIdentity({ after: (stop) => stops.push(stop as () => unknown) }, env);
  const { audit } = first.service.engines;
  const append = audit.append.bind(audit);
  let cutOff = 0;
  // The entry is there, and the job that has written it does not hear so.
  t.mock.method(audit, 'append', async (event: Parameters<typeof append>[0]) => {
    const receipt = await append(event);
    if (event.action !== 'CONNECTION_MADE' || cutOff > 0) return receipt;
    cutOff += 1;
    throw new Error('cut off');
  });
  const ada = await agentOf(first.base, 'ada@example.com', [id]);
  await consentAt(ada.person, `${first.base}/connect/${id}`, id);
  while (cutOff === 0) await sleep(10);
  // It never gets to writing down what becomes of connections from here on.
  const lost = () => Promise.reject(new Error('cut off'));
  t.mock.method(audit, 'append', (event: Parameters<typeof append>[0]) =>
    event.action.startsWith('CONNECTION_') ? lost() : append(event),
  );
  vendor.failing = true;
  first.advance(3_550_000);
  const told = await call(first.base, ada.token, dialect.tool);
  assert.ok(!told.isError, 'the old token serves until its end');
  for (const stop of stops.toReversed()) await stop();

  const second = await serveIdentity(t, env);
  const { db } = storeWith<Tables>(second.service.engines.store);
  const left = db.selectFrom('job').select('name').where('name', '=', 'connections-note');
  while (await left.executeTakeFirst()) {
    second.advance(60_000);
    await sleep(20);
  }
  const failed = await entriesOf(second, 'CONNECTION_REFRESH_FAILED');
  assert.ok(failed.length > 0, 'it is not lost');
  for (const { outcome, payload } of failed) {
    assert.deepEqual([outcome, payload], ['failed', { provider: id, way: 'oauth2' }]);
  }
  const ids = failed.map(({ correlation_id }) => correlation_id);
  assert.equal(new Set(ids).size, ids.length, 'each once');
  assert.equal((await entriesOf(second, 'CONNECTION_MADE')).length, 1, 'once');
});
