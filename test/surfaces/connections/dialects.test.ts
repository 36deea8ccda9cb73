import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../identity/outbox/mail-server.ts';
import { serveIdentity } from '../identity/served-identity.ts';
import { dialects } from './dialects.ts';
import { agentOf, call, connectUrlIn, consentAt } from './people.ts';
import { settingsOf, startVendor, type Vendor } from './vendor.ts';

// Each vendor in its own dialect, in front of a real authorization server.

const vendors = new Map<string, Vendor>();
const ends: (() => unknown)[] = [];
const scope = { after: (end: unknown) => void ends.push(end as () => unknown) };
let served: Awaited<ReturnType<typeof serveIdentity>>;
let ada: Awaited<ReturnType<typeof agentOf>>;

test.before(async () => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const settings: Record<string, string> = {};
  for (const dialect of dialects) {
    const vendor = await startVendor(scope, dialect, base);
    vendors.set(dialect.id, vendor);
    Object.assign(settings, settingsOf(dialect, vendor));
  }
  served = await serveIdentity(scope, {
    ...settings,
    PORT: String(port),
    SERVICE_AUTH: 'required',
    SERVICE_PROVIDER: dialects.map(({ id }) => id).join(),
    SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
    SERVICE_ALLOW_INSECURE_FETCH: '1',
  });
  ada = await agentOf(
    base,
    'ada@example.com',
    dialects.map(({ id }) => id),
  );
});
test.after(async () => {
  for (const end of ends.reverse()) await end();
});

function vendorOf(id: string): Vendor {
  return vendors.get(id) ?? assert.fail();
}

/** No file of the store shows any of these texts. */
function requireSealed(secrets: readonly (string | undefined)[]): void {
  const files = readdirSync(served.dataDir, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name)));
  assert.ok(
    texts.some((text) => text.includes('connection_attempt')),
    'the store is among them',
  );
  for (const secret of secrets) {
    assert.ok(secret !== undefined && secret.length > 20);
    assert.ok(!texts.some((text) => text.includes(secret)), 'a token lies open');
  }
}

for (const { id, tool } of dialects) {
  test(`${id}: a call says where to connect, and once that is done it acts for the person`, async () => {
    const { base } = served;
    const vendor = vendorOf(id);
    const { token, person } = ada;
    await consentAt(person, connectUrlIn(await call(base, token, tool)), id);
    assert.equal(person.page.status, 200, person.page.text);
    assert.match(person.page.text, /<h1>Connected<\/h1>/);
    const done = await call(base, token, tool);
    assert.ok(!done.isError, JSON.stringify(done));
    assert.deepEqual(vendor.granted, ['authorization_code']);
    requireSealed([vendor.used.at(-1)]);
  });
}

test('shortly before their end tokens are renewed', async () => {
  const { base, advance } = served;
  advance(3_545_000);
  for (const { id, tool } of dialects) {
    const vendor = vendorOf(id);
    const before = vendor.used.at(-1);
    const later = await call(base, ada.token, tool);
    assert.ok(!later.isError, `${id}: ${JSON.stringify(later)}`);
    assert.deepEqual(vendor.granted, ['authorization_code', 'refresh_token'], id);
    assert.notEqual(vendor.used.at(-1), before, id);
    requireSealed([before, vendor.used.at(-1)]);
  }
});

for (const { id, tool, revokedIn } of dialects) {
  test(`${id}: a person disconnects, and the vendor is told`, async () => {
    const { base } = served;
    const { token, person } = ada;
    const vendor = vendorOf(id);
    await person.open(`/connect/${id}`);
    const over = await person.send('/disconnect');
    assert.match(over.text, /<h1>Disconnected<\/h1>/);
    connectUrlIn(await call(base, token, tool));
    while (revokedIn && vendor.revoked.length === 0) await setTimeout(20);
  });
}

test('what people do is written down, without a token', async () => {
  const reader = await served.service.engines.audit.open();
  for (const action of ['CONNECTION_MADE', 'CONNECTION_REVOKED']) {
    const list = async () => (await reader.list({ action, limit: 20 })).records;
    while ((await list()).length < dialects.length) await setTimeout(10);
    const records = await list();
    const said = records.map(({ entry }) => String(entry.payload['provider']));
    assert.deepEqual(said.toSorted(), dialects.map(({ id }) => id).toSorted());
    const text = JSON.stringify(records);
    for (const { id } of dialects)
      for (const each of vendorOf(id).used) assert.ok(!text.includes(each));
    for (const { entry } of records) assert.match(entry.actor.id, /^usr_/);
  }
});
