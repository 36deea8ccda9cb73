import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import { storeWith } from '../../../../runtime/contract/house/store.ts';
import { post } from '../agent.ts';
import { Browser } from '../browser.ts';
import { personAt } from '../claiming-agent.ts';
import { serveIdentity } from '../served-identity.ts';

// Whether somebody is known here shows in what is done for a request, not only in what is answered.
// So the work is counted, which is the same on every machine, and not the time.

/** What is done again and again, whoever comes: following what was revoked, and sweeping. */
const others = /"identity_(watermark|denied_token|signing_key)"|"expires_at" < \?/;

/** What the server asks its database of identity while something is done, without the values. */
async function workOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const statements: string[] = [];
  const { postMessage } = Worker.prototype;
  const listen = function (this: Worker, ...all: unknown[]) {
    const [{ sql = '' }] = all as [{ readonly sql?: string }];
    if (/"identity_/.test(sql) && !others.test(sql)) statements.push(sql);
    return Reflect.apply(postMessage, this, all);
  };
  const counted = mock.method(Worker.prototype, 'postMessage', listen);
  try {
    await work();
    return statements.toSorted();
  } finally {
    counted.mock.restore();
  }
}

const quiet = { SERVICE_AUTH: 'required', SERVICE_REGISTRATIONS_PER_NETWORK: '1000' };

/** The same answer but for what is made up anew each time. */
function shapeOf({ status, text }: { readonly status: number; readonly text: string }) {
  return {
    status,
    text: text
      .replaceAll(/\b(reg|clm|cvt|cla)_[\w-]+/g, '$1')
      .replaceAll(/[B-Z]{4}-[B-Z]{4}/g, 'code')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(/(known|empty)@/g, 'who@'),
  };
}

async function sameFor(ask: (name: string) => Promise<{ status: number; text: string }>) {
  await ask('first');
  const told: object[] = [];
  const works = [];
  for (const name of ['known', 'empty']) {
    works.push(await workOf(async () => told.push(shapeOf(await ask(name)))));
  }
  assert.deepEqual(told[0], told[1]);
  assert.deepEqual(works[0], works[1]);
  assert.ok((works[0]?.length ?? 0) > 0, 'something is done');
}

test('an agent that asks for a person learns nothing of whether they are known here', async (t) => {
  const { base } = await serveIdentity(t, quiet);
  await personAt(base, '/agents', 'known@example.com');
  await sameFor((name) =>
    post(`${base}/agent/identity`, { type: 'service_auth', email: `${name}@example.com` }),
  );
});

test('whoever asks for a link by mail learns nothing of whether its address is known', async (t) => {
  const { base, service } = await serveIdentity(t, { ...quiet, SERVICE_CLAIM_AUTH: 'email' });
  const person = { tenant: 'default', id: 'usr_known', email: 'known@example.com', name: '' };
  await storeWith<IdentityTables>(service.engines.store)
    .db.insertInto('identity_user')
    .values({ ...person, created_at: 0, not_before: 0 })
    .execute();
  await sameFor(async (name) => {
    const browser = new Browser(base);
    await browser.open('/agents');
    return browser.send('/sign-in', { email: `${name}@example.com` });
  });
});
