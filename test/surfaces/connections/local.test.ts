import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { sql } from 'kysely';
import { storeWith } from '#contract/house/store';
import type { ConnectionsTables } from '../../../generated/surfaces/connections/tables.ts';
import { sendJson, startUpstream } from '../../runtime/outbound/upstream.ts';
import { Browser } from '../identity/browser.ts';
import { serveIdentity } from '../identity/served-identity.ts';
import { call, connectUrlIn } from './people.ts';

// With SERVICE_AUTH=local, where whoever reaches the loopback interface is the operator.

const good = `lin_api_${'a'.repeat(32)}`;
const away = `lin_api_${'c'.repeat(32)}`;
const key = () => randomBytes(32).toString('base64');

test('a key is tried out, kept under the newest key of the server, and wins over the shared one', async (t) => {
  const vendor = await startUpstream(t, (response, { headers }) => {
    const { authorization } = headers;
    if (authorization === away) {
      sendJson(response, {}, 500);
      return;
    }
    if (authorization !== good && authorization !== 'shared') {
      sendJson(response, { errors: [{ message: 'no' }] }, 401);
      return;
    }
    const name = authorization === good ? 'mine' : 'shared';
    sendJson(response, { data: { viewer: { id: '1', name } } });
  });
  const folder = mkdtempSync(join(tmpdir(), 'connections-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    ...{ SERVICE_DATA_DIR: join(folder, 'data'), SERVICE_PROVIDER: 'linear' },
    ...{ SERVICE_PROVIDER_LINEAR_URL: vendor.url, SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8' },
  };
  const old = key();
  const ends: (() => unknown)[] = [];
  const first = await serveIdentity(
    { after: (end: unknown) => void ends.push(end as () => unknown) },
    { ...env, SERVICE_CONNECTIONS_KEY: old },
  );
  const url = connectUrlIn(await call(first.base, undefined, 'linear_viewer'));
  const person = new Browser(first.base);
  const shown = await person.open(url);
  assert.match(shown.text, /the operator of this server/);
  const paste = (text: string) => person.send('/connect/linear', { key: text });
  assert.match((await paste('')).text, /Paste a personal API key/);
  assert.match((await paste('something else')).text, /those look otherwise/);
  const wrong = await paste(`lin_api_${'b'.repeat(32)}`);
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /does not take this key \(it answered 401\)/);
  assert.doesNotMatch(wrong.text, /bbbb/);
  const untried = await paste(away);
  assert.equal(untried.status, 502);
  assert.match(untried.text, /cannot try the key out \(it answered 500\) now/);
  assert.match((await paste(good)).text, /connected since/);
  const named = async (base: string) => {
    const { structuredContent = {} } = await call(base, undefined, 'linear_viewer');
    return (structuredContent['viewer'] as { name?: string } | undefined)?.name;
  };
  assert.equal(await named(first.base), 'mine');
  for (const end of ends.splice(0).reverse()) await end();

  // The next key seals, the old one still opens; the operator has a credential of its own now.
  const second = await serveIdentity(t, {
    ...env,
    ...{ SERVICE_CONNECTIONS_KEY: `${key()},${old}`, SERVICE_LINEAR_API_KEY: 'shared' },
  });
  const { db } = storeWith<ConnectionsTables>(second.service.engines.store);
  const keyId = async () =>
    (
      await db
        .selectFrom('connection')
        .select('key_id')
        .where('subject', '!=', 'usr_1')
        .executeTakeFirst()
    )?.key_id;
  const before = await keyId();
  // What cannot be opened, nor even be read, stands in the way of nobody.
  const at = Date.now();
  await db
    .insertInto('connection')
    .values({
      ...{ tenant: 'acme', subject: 'usr_1', provider: 'linear', id: '-', scheme: 'api_key' },
      ...{ way: 'key', state: 'connected', sealed: 'x', key_id: before ?? '', account: '' },
      ...{ scopes: '', version: 1, lease_until: null, made_at: at, changed_at: at },
      expires_at: sql<number>`9000000000000000000`,
    })
    .execute();
  assert.equal(await named(second.base), 'mine');
  const { engines } = second.service;
  // Not after five minutes, but now.
  await engines.store.db
    .updateTable('job')
    .set({ run_at: 0 })
    .where('name', '=', 'connections-reseal')
    .execute();
  engines.jobs.wake();
  while ((await keyId()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(await named(second.base), 'mine');
  // Nobody who begins to serve waits for the log to be open.
  await engines.audit.open();
  const { status, body } = await fetch(`${second.base}/readyz`).then(async (answer) => ({
    status: answer.status,
    body: (await answer.json()) as { checks: readonly { name: string; ok: boolean }[] },
  }));
  assert.equal(status, 200, JSON.stringify(body));
  assert.ok(body.checks.some(({ name, ok }) => name === 'connections' && ok));

  const again = new Browser(second.base);
  await again.open('/connect/linear');
  const over = await again.send('/disconnect');
  assert.match(over.text, /delete it at Linear/);
  assert.equal(await named(second.base), 'shared');
});

test('a server without the key that has sealed what is there is not ready, and says so', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'connections-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { base, service } = await serveIdentity(t, { SERVICE_DATA_DIR: join(folder, 'data') });
  const { db } = storeWith<ConnectionsTables>(service.engines.store);
  const at = Date.now();
  await db
    .insertInto('connection')
    .values({
      ...{ tenant: 'default', subject: 'local', provider: 'linear', id: 'x', scheme: 'api_key' },
      ...{ way: 'key', state: 'connected', sealed: 'x', key_id: 'lost', account: '', scopes: '' },
      ...{ version: 1, expires_at: null, lease_until: null, made_at: at, changed_at: at },
    })
    .execute();
  const answer = await fetch(`${base}/readyz`);
  assert.equal(answer.status, 503);
});
