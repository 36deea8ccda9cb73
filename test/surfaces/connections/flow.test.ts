import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { storeWith } from '#contract/house/store';
import type { ConnectionsTables } from '../../../generated/surfaces/connections/tables.ts';
import { Browser } from '../identity/browser.ts';
import { Agent } from '../identity/claiming-agent.ts';
import { freePort } from '../identity/outbox/mail-server.ts';
import { serveIdentity } from '../identity/served-identity.ts';
import { type Dialect, dialects } from './dialects.ts';
import { agentOf, call, callbackFor, connectUrlIn, consentAt } from './people.ts';
import { settingsOf, startVendor, type Vendor } from './vendor.ts';

// What can go wrong between a person, this server and a vendor, and what must not.

const id = 'github';
const dialect = dialects.find((each) => each.id === id) as Dialect;
const { tool } = dialect;
const ends: (() => unknown)[] = [];
const scope = { after: (end: unknown) => void ends.push(end as () => unknown) };
let served: Awaited<ReturnType<typeof serveIdentity>>;
let vendor: Vendor;
let ada: Awaited<ReturnType<typeof agentOf>>;
let eve: Awaited<ReturnType<typeof agentOf>>;

test.before(async () => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  vendor = await startVendor(scope, dialect, base);
  served = await serveIdentity(scope, {
    ...settingsOf(dialect, vendor),
    ...{ PORT: String(port), SERVICE_AUTH: 'required', SERVICE_PROVIDER: id },
    ...{ SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8', SERVICE_ALLOW_INSECURE_FETCH: '1' },
  });
  ada = await agentOf(base, 'ada@example.com', [id]);
  eve = await agentOf(base, 'eve@example.com', [id]);
});
test.after(async () => {
  for (const end of ends.reverse()) await end();
});

/** Bring it back with the cookies of a browser. */
async function arrive(url: URL, cookies: Readonly<Record<string, string | undefined>>) {
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  return (await fetch(url, { redirect: 'manual', headers: { cookie } })).status;
}

const cookiesOf = (person: Browser, url: URL) => ({
  session: person.cookie('session'),
  connect: url.hash.slice(1),
});

async function isConnected(token: string): Promise<boolean> {
  return !(await call(served.base, token, tool)).isError;
}

test('what comes back counts once, in its browser, for its person, from its vendor', async () => {
  const { advance } = served;
  vendor.account = 'ada';
  const url = await callbackFor(ada.person, id);
  const own = cookiesOf(ada.person, url);
  const changed = (change: (params: URLSearchParams) => void) => {
    const other = new URL(url);
    change(other.searchParams);
    return other;
  };
  const wrongState = changed((params) => params.set('state', 'x'.repeat(32)));
  assert.equal(await arrive(wrongState, own), 410);
  assert.equal(
    await arrive(
      changed((params) => params.delete('state')),
      own,
    ),
    410,
  );
  assert.equal(await arrive(url, { session: own.session }), 403, 'another browser of hers');
  const foreign = { ...own, session: eve.person.cookie('session') };
  assert.equal(await arrive(url, foreign), 403, 'the session of somebody else');
  assert.equal(await arrive(url, { connect: own.connect }), 403, 'nobody has signed in');
  assert.equal(await isConnected(ada.token), false);
  assert.equal(await arrive(url, own), 200, 'what others tried has not used it up');
  assert.equal(await arrive(url, own), 410, 'a second time');
  assert.equal(await isConnected(ada.token), true);
  await ada.person.open(`/connect/${id}`);
  await ada.person.send('/disconnect');

  const mixedUp = await callbackFor(ada.person, id);
  mixedUp.searchParams.set('iss', 'https://other.example.com');
  assert.equal(await arrive(mixedUp, cookiesOf(ada.person, mixedUp)), 403, 'RFC 9207');
  const late = await callbackFor(ada.person, id);
  advance(601_000);
  assert.equal(await arrive(late, cookiesOf(ada.person, late)), 410, 'too late');
  assert.equal(await isConnected(ada.token), false);
});

test('a client that opens pages is sent to one, and its call goes on once that is done', async () => {
  const { base } = served;
  vendor.account = 'ada';
  const asked = await call(base, ada.token, tool, { opensPages: true });
  assert.equal(asked.resultType, 'input_required', JSON.stringify(asked));
  const { mode, url } = asked.inputRequests?.['connect']?.params ?? assert.fail();
  assert.equal(mode, 'url');
  const { requestState } = asked as { requestState?: string };
  const answered = (action: string) => ({
    opensPages: true,
    more: { inputResponses: { connect: { action } }, ...(requestState && { requestState }) },
  });
  const refused = await call(base, ada.token, tool, answered('decline'));
  assert.match(String(refused.structuredContent?.error?.message), /does not want/);
  const waiting = call(base, ada.token, tool, answered('accept'));
  await consentAt(ada.person, url, id);
  const done = await waiting;
  assert.ok(!done.isError, JSON.stringify(done));
});

test('two people see nothing of each other', async () => {
  const { base } = served;
  const url = connectUrlIn(await call(base, eve.token, tool));
  const shown = await ada.person.open(url);
  assert.equal(shown.status, 403, 'the page is meant for Eve');
  assert.doesNotMatch(shown.text, /eve@/);
  vendor.account = 'eve';
  await consentAt(eve.person, url, id);
  const names = [];
  for (const { token } of [ada, eve]) {
    names.push((await call(base, token, tool)).structuredContent?.['login']);
  }
  assert.deepEqual(names, ['ada', 'eve']);
  await eve.person.open(`/connect/${id}`);
  await eve.person.send('/disconnect');
  assert.equal(await isConnected(eve.token), false);
  assert.equal(await isConnected(ada.token), true);
});

test('an agent that acts for nobody is told to be claimed first', async () => {
  const { base } = served;
  const agent = new Agent(base);
  const { assertion } = await agent.register({ type: 'anonymous' });
  const { body } = await agent.exchange(assertion);
  const { status, body: refused } = await agent.send(
    'POST',
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } },
    {
      authorization: `Bearer ${body['access_token']}`,
      accept: 'application/json, text/event-stream',
    },
  );
  assert.equal(status, 403, 'mcp.tools alone reaches no vendor at which people have accounts');
  assert.match(JSON.stringify(refused), /provider:github:read/);
});

test('a hundred calls at the end of a token renew it once', async () => {
  const { base, advance } = served;
  advance(3_545_000);
  // The token of her agent has ended as well.
  ada = await agentOf(base, 'ada@example.com', [id]);
  const granted = vendor.granted.length;
  const calls = Array.from({ length: 100 }, () => call(base, ada.token, tool));
  const results = await Promise.all(calls);
  for (const result of results) assert.ok(!result.isError, JSON.stringify(result));
  assert.deepEqual(vendor.granted.slice(granted), ['refresh_token']);
});

test('while the vendor gives no tokens the old one serves until its end', async () => {
  const { advance } = served;
  vendor.failing = true;
  advance(3_550_000);
  assert.equal(await isConnected(ada.token), true);
  vendor.failing = false;
  ada = await agentOf(served.base, 'ada@example.com', [id]);
  assert.equal(await isConnected(ada.token), true);
});

test('what the vendor has ended is broken, not replaced by the credential of others', async () => {
  const { base, service } = served;
  vendor.revokeAll();
  const told = await call(base, ada.token, tool);
  assert.match(String(told.structuredContent?.error?.message), /not take the account any more/);
  const url = connectUrlIn(told);
  const shown = await ada.person.open(url);
  assert.match(shown.text, /does not take it any more/);
  const reader = await service.engines.audit.open();
  const broken = async () => (await reader.list({ action: 'CONNECTION_BROKEN', limit: 5 })).records;
  while ((await broken()).length === 0) await setTimeout(10);
  const records = await broken();
  assert.equal(records.length, 1);
  assert.equal(records[0]?.entry.payload['during'], 'refresh');
  vendor.account = 'ada';
  await consentAt(ada.person, url, id);
  assert.equal(await isConnected(ada.token), true);
});

test('forms of other sites, and unknown vendors, change nothing', async () => {
  const { base } = served;
  const shown = await ada.person.open(`/connect/${id}`);
  const { fields } = ada.person.formOf('/disconnect');
  const body = new URLSearchParams(fields).toString();
  const cookie = `session=${ada.person.cookie('session')}; form=${ada.person.cookie('form')}`;
  const sent = await new Browser(base).post(`/connect/${id}/disconnect`, body, {
    ...{ cookie, 'sec-fetch-site': 'cross-site' },
  });
  assert.equal(sent.status, 403);
  assert.equal(await isConnected(ada.token), true);
  assert.equal(shown.headers['referrer-policy'], 'same-origin');
  assert.match(String(shown.headers['content-security-policy']), /form-action 'self' http:\/\/127/);
  assert.equal((await ada.person.open('/connect/osv')).status, 404);
  const overview = await ada.person.open('/connect');
  assert.match(overview.text, /GitHub<\/a>: connected/);
});

test('the operator lists and disconnects at the terminal', async () => {
  const { service } = served;
  const command = service.commands['connections'] ?? assert.fail();
  const listed = await command(['list'], {});
  const [subject = '', provider] = listed.split(/\s+/);
  assert.equal(provider, id);
  assert.doesNotMatch(listed, /ada@/);
  assert.match(await command(['disconnect', subject, id], {}), /is disconnected/);
  await assert.rejects(command(['disconnect', subject, id], {}), /there is no account/);
  await assert.rejects(command(['other'], {}), /connections takes one of/);
  assert.equal(await isConnected(ada.token), false);
});

/** Have the token endpoint answer with other members than the vendor does. */
function changeTo(members: Readonly<Record<string, string>>): void {
  vendor.change = (text) => {
    const answer = new URLSearchParams(text);
    if (answer.has('access_token'))
      for (const [name, value] of Object.entries(members)) answer.set(name, value);
    return answer.toString();
  };
}

test('however long a token is said to live, it serves, and nothing breaks', async () => {
  const { service } = served;
  for (const expires_in of ['9e15', '1e300', '3599.9996', '0.0001']) {
    changeTo({ expires_in });
    const { page } = await consentAt(ada.person, `/connect/${id}`, id);
    assert.match(page.text, /<h1>Connected<\/h1>/, expires_in);
    assert.equal(await isConnected(ada.token), true, expires_in);
    assert.equal((await ada.person.open('/connect')).status, 200);
    assert.match((await service.commands['connections']?.(['list'], {})) ?? '', /connected/);
  }
});

test('a token that nobody can use is not taken', async () => {
  for (const members of [
    { access_token: 'a\r\nX: y' },
    { access_token: 't\u00f6k' },
    { access_token: 'x'.repeat(100_000) },
    { token_type: 'mac' },
  ]) {
    changeTo(members);
    const { page } = await consentAt(ada.person, `/connect/${id}`, id);
    assert.equal(page.status, 502, JSON.stringify(members).slice(0, 60));
    assert.match(page.text, /Nothing was connected/);
  }
  vendor.change = (text) => text;
});

test('who connects again gives the token back that is replaced', async () => {
  await consentAt(ada.person, `/connect/${id}`, id);
  assert.equal(await isConnected(ada.token), true);
  const replaced = vendor.used.at(-1) ?? assert.fail();
  await consentAt(ada.person, `/connect/${id}`, id);
  while (!vendor.revoked.includes(replaced)) await setTimeout(20);
  assert.equal(await isConnected(ada.token), true);
  assert.ok(!vendor.revoked.includes(vendor.used.at(-1) ?? ''));
});

test('an account that is refused is that of the person, and renewed once', async () => {
  vendor.refusing = true;
  const granted = vendor.granted.length;
  for (let calls = 0; calls < 3; calls += 1) {
    const { content, structuredContent } = await call(served.base, ada.token, tool);
    assert.equal(structuredContent?.error?.code, 'unauthorized');
    const url = structuredContent?.error?.connect_url ?? assert.fail();
    const said = content?.[0]?.text ?? '';
    assert.ok(said.includes(`the person has connected; they can connect it again at ${url}`), said);
    assert.doesNotMatch(said, /operator/);
  }
  assert.deepEqual(vendor.granted.slice(granted), ['refresh_token']);
  vendor.refusing = false;
  assert.equal(await isConnected(ada.token), true);
});

test('what the vendor gives while a person disconnects is given back', async () => {
  const command = served.service.commands['connections'] ?? assert.fail();
  // Due at once.
  changeTo({ expires_in: '1' });
  await consentAt(ada.person, `/connect/${id}`, id);
  const asked = Promise.withResolvers<string>();
  const gate = Promise.withResolvers<void>();
  vendor.change = async (text) => {
    asked.resolve(new URLSearchParams(text).get('access_token') ?? '');
    await gate.promise;
    return text;
  };
  const waiting = call(served.base, ada.token, tool);
  const given = await asked.promise;
  const [subject = ''] = (await command(['list'], {})).split(/\s+/);
  await command(['disconnect', subject, id], {});
  gate.resolve();
  connectUrlIn(await waiting);
  while (!vendor.revoked.includes(given)) await setTimeout(20);
  vendor.change = (text) => text;
});

test('a row that an older server has kept wrongly is broken, and goes away', async () => {
  const { service } = served;
  const command = service.commands['connections'] ?? assert.fail();
  const { db } = storeWith<ConnectionsTables>(service.engines.store);
  const spoil = async () => {
    await consentAt(ada.person, `/connect/${id}`, id);
    // More than a number of this language can hold exactly.
    const late = { expires_at: sql<number>`9223372036854775807` };
    await db.updateTable('connection').set(late).where('tenant', '=', 'default').execute();
  };
  await spoil();
  assert.match((await ada.person.open('/connect')).text, /GitHub<\/a>: [^<]*not/);
  assert.match((await ada.person.open(`/connect/${id}`)).text, /does not take it any more/);
  assert.match(await command(['list'], {}), /broken/);
  connectUrlIn(await call(served.base, ada.token, tool));
  await consentAt(ada.person, `/connect/${id}`, id);
  assert.equal(await isConnected(ada.token), true);
  await spoil();
  const [subject = ''] = (await command(['list'], {})).split(/\s+/);
  assert.match(await command(['disconnect', subject, id], {}), /is disconnected/);
  assert.equal(await isConnected(ada.token), false);
});

test('an account at a vendor that is not offered any more can be disconnected by its person', async () => {
  const { service } = served;
  const { db } = storeWith<ConnectionsTables>(service.engines.store);
  await consentAt(ada.person, `/connect/${id}`, id);
  const former = 'linear';
  await db.updateTable('connection').set({ provider: former }).where('provider', '=', id).execute();
  const overview = await ada.person.open('/connect');
  assert.match(overview.text, /\/connect\/linear">linear<\/a>: connected, but no agent can use it/);
  assert.equal((await eve.person.open(`/connect/${former}`)).status, 404);
  assert.doesNotMatch((await eve.person.open('/connect')).text, /linear/);
  const shown = await ada.person.open(`/connect/${former}`);
  assert.equal(shown.status, 200);
  assert.match(shown.text, /does not offer linear here any more/);
  const gone = await ada.person.send(`/connect/${former}/disconnect`);
  assert.match(gone.text, /No account of yours at linear is connected/);
  assert.equal((await ada.person.open(`/connect/${former}`)).status, 404);
  assert.doesNotMatch((await ada.person.open('/connect')).text, /linear/);
});
