import type { TestContext } from 'node:test';
import type { PageWalk } from '../../pages/page-walk.ts';
import { Browser } from '../identity/browser.ts';
import { personAt } from '../identity/claiming-agent.ts';
import { freePort } from '../identity/outbox/mail-server.ts';
import { serveIdentity } from '../identity/served-identity.ts';
import { type Dialect, dialects } from './dialects.ts';
import { agentOf, call, callbackFor, connectUrlIn } from './people.ts';
import { settingsOf, startVendor } from './vendor.ts';

const id = 'github';
const page = `/connect/${id}`;
const email = 'ada@example.com';
const dialect = dialects.find((each) => each.id === id) as Dialect;
const local = { SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8', SERVICE_ALLOW_INSECURE_FETCH: '1' };

/** The pages on which people connect accounts, with all that may come between. */
export async function walkConnections(t: TestContext, walk: PageWalk): Promise<void> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const vendor = await startVendor(t, dialect, base);
  const settings = { ...settingsOf(dialect, vendor), SERVICE_PROVIDER: id, ...local };
  await serveIdentity(t, { ...settings, PORT: String(port), SERVICE_AUTH: 'required' });
  const { person, token } = await agentOf(base, email, [id]);
  await walk.open(person, '/connect', 200);
  const meant = connectUrlIn(await call(base, token, dialect.tool));
  await walk.open(await personAt(base, '/agents', 'eve@example.com'), meant, 403);
  await walk.open(person, meant, 200);
  await walk.send(person, page, 400, { way: 'key', scheme: 'nothing' });
  await walk.send(person, page, 400, { way: 'key', scheme: 'token', key: 'nothing like one' });

  vendor.account = 'refuses';
  await walk.open(person, page, 200);
  await walk.send(person, page, 200);
  vendor.account = 'ada';
  vendor.failing = true;
  await walk.open(person, page, 200);
  await walk.send(person, page, 502);
  vendor.failing = false;
  await walk.open(new Browser(base), (await callbackFor(person, id)).href, 403);
  await walk.open(person, page, 200);
  await walk.send(person, page, 200);
  await walk.open(person, '/connect', 200);
  await walk.open(person, page, 200);
  await walk.send(person, `${page}/disconnect`, 200);
  await walk.open(person, `${page}/callback?state=x`, 410);

  const way = { way: 'oauth2', scheme: dialect.scheme };
  await walk.forge(person, page, way);
  await walk.forge(person, `${page}/disconnect`, {});
  await walk.forge(person, '/connect/nothing', way, 404);
  await walk.forge(person, '/connect/nothing/disconnect', {}, 404);
  for (const path of ['/connect/nothing', '/connect/nothing/callback']) {
    await walk.open(person, path, 404);
  }
  await walkAway(t, walk);
}

/** The vendor is away, and where nobody can sign in. */
async function walkAway(t: TestContext, walk: PageWalk): Promise<void> {
  const { base } = await serveIdentity(t, {
    ...{ SERVICE_AUTH: 'required', SERVICE_PROVIDER: id, ...local },
    SERVICE_PROVIDER_GITHUB_URL: `http://127.0.0.1:${await freePort()}`,
  });
  const person = await personAt(base, page, email);
  const key = `ghp_${'a'.repeat(36)}`;
  await walk.open(person, page, 200);
  await walk.send(person, page, 502, { way: 'key', scheme: 'token', key });
  const { base: none } = await serveIdentity(t, {
    ...{ SERVICE_AUTH: 'required', SERVICE_CLAIM_AUTH: 'none', SERVICE_PROVIDER: id },
  });
  for (const path of ['/connect', page]) await walk.open(new Browser(none), path, 403);
}
