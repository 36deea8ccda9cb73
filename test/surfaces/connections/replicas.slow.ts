import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '../../runtime/store/postgres-server.ts';
import { freePort } from '../identity/outbox/mail-server.ts';
import { type ServedIdentity, serveIdentity } from '../identity/served-identity.ts';
import { type Dialect, dialects } from './dialects.ts';
import { agentOf, call, connectUrlIn, consentAt } from './people.ts';
import { settingsOf, startVendor, type Vendor } from './vendor.ts';

const id = 'github';
const dialect = dialects.find((each) => each.id === id) as Dialect;
const { tool } = dialect;

suite('an account that is connected at one of two replicas on PostgreSQL', () => {
  const ends: (() => unknown)[] = [];
  const scope = { after: (end: unknown) => void ends.push(end as () => unknown) };
  let vendor: Vendor;
  let one: ServedIdentity;
  let two: ServedIdentity;
  let ada: Awaited<ReturnType<typeof agentOf>>;

  before(async () => {
    const postgres = await PostgresServer.start();
    scope.after(() => postgres.stop());
    const port = await freePort();
    /** Both are reached under the name of the first. */
    const issuer = `http://127.0.0.1:${port}`;
    vendor = await startVendor(scope, dialect, issuer);
    const env = {
      ...settingsOf(dialect, vendor),
      ...{ SERVICE_AUTH: 'required', SERVICE_PROVIDER: id, SERVICE_BASE_URL: issuer },
      ...{ SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8', SERVICE_ALLOW_INSECURE_FETCH: '1' },
      SERVICE_DATABASE_URL: await postgres.createDatabase(),
      SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
      SERVICE_AUDIT_KEY: randomBytes(32).toString('base64'),
    };
    one = await serveIdentity(scope, { ...env, PORT: String(port) });
    two = await serveIdentity(scope, env);
    ada = await agentOf(one.base, 'ada@example.com', [id]);
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** Call at both at the same time, half of the calls at each. */
  const atBoth = (calls: number) =>
    Promise.all(
      Array.from({ length: calls }, (_, at) =>
        call(at % 2 === 0 ? one.base : two.base, ada.token, tool),
      ),
    );

  async function connectAtOne(): Promise<void> {
    const { page } = await consentAt(ada.person, `${one.base}/connect/${id}`, id);
    assert.match(page.text, /<h1>Connected<\/h1>/);
  }

  test('serves the calls at the other', async () => {
    connectUrlIn(await call(two.base, ada.token, tool));
    await connectAtOne();
    const result = await call(two.base, ada.token, tool);
    assert.equal(result.structuredContent?.['login'], 'ada', JSON.stringify(result));
    assert.deepEqual(vendor.granted, ['authorization_code']);
  });

  test('has an expired token renewed once for both', async () => {
    const expired = vendor.used.at(-1);
    one.advance(3_700_000);
    // The token of her agent has ended as well.
    ada = await agentOf(one.base, 'ada@example.com', [id]);
    const granted = vendor.granted.length;
    // So that calls at both find it expired while one of them renews it.
    vendor.change = async (text) => {
      await sleep(500);
      return text;
    };
    const used = vendor.used.length;
    for (const result of await atBoth(20)) {
      assert.equal(result.structuredContent?.['login'], 'ada', JSON.stringify(result));
    }
    vendor.change = (text) => text;
    assert.deepEqual(vendor.granted.slice(granted), ['refresh_token']);
    const [renewed, ...others] = new Set(vendor.used.slice(used));
    assert.deepEqual(others, []);
    assert.notEqual(renewed, expired);
  });

  test('has a token that the vendor refuses renewed once for both', async () => {
    const refused = vendor.used.at(-1) ?? assert.fail();
    vendor.end(refused);
    const granted = vendor.granted.length;
    for (const result of await atBoth(20)) {
      assert.equal(result.structuredContent?.['login'], 'ada', JSON.stringify(result));
    }
    assert.deepEqual(vendor.granted.slice(granted), ['refresh_token']);
  });

  test('is refused at one as soon as it has ended at the other', async () => {
    await connectAtOne();
    assert.ok(!(await call(one.base, ada.token, tool)).isError);
    const last = vendor.used.at(-1) ?? assert.fail();
    await ada.person.open(`${two.base}/connect/${id}`);
    const gone = await ada.person.send('/disconnect');
    assert.equal(gone.status, 200, gone.text);
    const used = vendor.used.length;
    // Neither keeps it in memory, so this is true at once, however fast the machine is.
    for (const base of [one.base, two.base]) connectUrlIn(await call(base, ada.token, tool));
    assert.equal(vendor.used.length, used);
    while (!vendor.revoked.includes(last)) await sleep(20);
    await connectAtOne();
    assert.ok(!(await call(two.base, ada.token, tool)).isError, 'connected again');
    assert.ok(!vendor.used.slice(used).includes(last));
  });
});
