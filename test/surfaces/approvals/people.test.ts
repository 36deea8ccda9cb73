import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { can } from '../../runtime/admission/confirm/confirm-server.ts';
import { freshToken } from '../identity/agent.ts';
import { Browser } from '../identity/browser.ts';
import { personAt } from '../identity/claiming-agent.ts';
import { callAs, claimedAgent, pageIn, startGuarded } from './signed-in.ts';

// Where everybody brings a token, the page of an approval belongs to the person who has signed in.

let server: Awaited<ReturnType<typeof startGuarded>>;
const ends: (() => unknown)[] = [];

before(async () => {
  server = await startGuarded({ after: (end) => void ends.push(end as () => unknown) });
});
test.after(async () => {
  for (const end of ends) await end();
});

function pathOf(url: string): string {
  return new URL(url).pathname;
}

test('a person signs in, reads, approves, and the call of their agent runs once', async () => {
  const { base, deleted, service } = server;
  const { token } = await claimedAgent(base, 'ada@example.com');
  const page = pageIn(await callAs(base, token, { path: '/once' }));
  const browser = new Browser(base);
  const asked = await browser.open(page);
  assert.equal(new URL(asked.url).pathname, '/sign-in');
  assert.doesNotMatch(asked.text, /once/, 'who has not signed in learns nothing');
  const shown = await browser.send('/sign-in', { email: 'Ada@example.com' });
  assert.equal(shown.url, page, 'the sign-in leads back');
  assert.match(shown.text, /What acts for you, <b>ada@example\.com<\/b>,/);
  assert.match(shown.text, /&quot;\/once&quot;/);
  const done = await browser.send(pathOf(page), { decision: 'approved' });
  assert.equal(done.status, 200, done.text);
  const result = await callAs(base, token, { path: '/once' });
  assert.ok(!result.isError, JSON.stringify(result));
  assert.deepEqual(deleted, ['/once']);
  const reader = await service.engines.audit.open();
  const { records } = await reader.list({ action: 'APPROVAL_DECIDED', limit: 1 });
  const { actor } = records[0]?.entry ?? assert.fail('nothing was written down');
  assert.equal(actor.type, 'user');
  assert.match(actor.id, /^usr_/);
});

test('another person gets no hint, and can decide nothing', async () => {
  const { base, deleted } = server;
  const { token, person } = await claimedAgent(base, 'ada@example.com');
  const page = pageIn(await callAs(base, token, { path: '/secret-path' }));
  const eve = new Browser(base);
  await eve.open(page);
  const shown = await eve.send('/sign-in', { email: 'eve@example.com' });
  assert.equal(shown.status, 404);
  assert.match(shown.text, /not for <b>eve@example\.com<\/b>/);
  assert.doesNotMatch(shown.text, /secret-path|delete_file|ada@/);
  const guessed = page.replace(/[^/]+$/, (id) => id.split('').reverse().join(''));
  const unknown = await eve.open(guessed);
  assert.deepEqual([unknown.status, unknown.text], [404, shown.text], 'not even that there is one');
  // With the form of its owner, in her own browser.
  await person.open(page);
  const { fields } = person.formOf(pathOf(page));
  const body = new URLSearchParams({ ...fields, decision: 'approved' }).toString();
  assert.equal((await eve.post(pathOf(page), body)).status, 403);
  const foreign = { 'sec-fetch-site': 'cross-site' };
  const cookie = `session=${person.cookie('session')}; form=${person.cookie('form')}`;
  const sent = await eve.post(pathOf(page), body, { ...foreign, cookie });
  assert.equal(sent.status, 403, 'no other site sends it in the name of its owner');
  assert.equal((await person.open(page)).status, 200, 'it still waits');
  assert.ok(!deleted.includes('/secret-path'));
});

test('an agent cannot agree to its own acts with its token', async () => {
  const { base } = server;
  const { token } = await claimedAgent(base, 'ada@example.com');
  const page = pageIn(await callAs(base, token, { path: '/own' }));
  const own = { authorization: `Bearer ${token}` };
  const shown = await fetch(page, { headers: own, redirect: 'manual' });
  assert.equal(shown.status, 303);
  const body = new URLSearchParams({ token: 'x', decision: 'approved' });
  assert.equal((await fetch(page, { method: 'POST', headers: own, body })).status, 403);
});

test('what a revoked agent has asked for is gone, and so is what it was given', async () => {
  const { base, deleted } = server;
  const { id, token, person } = await claimedAgent(base, 'ada@example.com');
  const other = await claimedAgent(base, 'ada@example.com');
  const page = pageIn(await callAs(base, token, { path: '/late' }));
  await person.open(page);
  await person.open('/agents');
  await person.send('/agents/revoke', { id });
  assert.equal((await person.open(page)).status, 404);
  // Another agent of the same person asks for itself.
  const next = pageIn(await callAs(base, other.token, { path: '/late' }));
  assert.notEqual(next, page);
  assert.equal((await person.open(next)).status, 200);
  assert.deepEqual(
    deleted.filter((path) => path === '/late'),
    [],
  );
});

test('an agent that nobody has claimed is told to have itself claimed, whatever its client can do', async () => {
  const { base, deleted } = server;
  const { token } = await freshToken(base);
  for (const able of [can.nothing, can.forms, can.pages, can.tasks]) {
    const { structuredContent } = await callAs(base, token, { path: '/unclaimed' }, { able });
    const { error } = structuredContent ?? {};
    assert.equal(error?.code, 'confirmation_required');
    assert.equal(error.approval_url, undefined);
    assert.equal(error.claim_url, `${base}/agent/identity/claim`);
    assert.match(error.message, /acts for nobody yet; have a person claim it/);
  }
  assert.ok(!deleted.includes('/unclaimed'));
});

test('a client that opens pages waits until the person has decided there', async () => {
  const { base, deleted } = server;
  const { token, person } = await claimedAgent(base, 'bob@example.com');
  const args = { path: '/waits' };
  const { inputRequests, requestState } = await callAs(base, token, args, { able: can.pages });
  const page = String(inputRequests?.['page']?.params['url']);
  const more = { inputResponses: { page: { action: 'accept' } }, requestState };
  const answer = callAs(base, token, args, { able: can.pages, more });
  await person.open(page);
  await person.send(pathOf(page), { decision: 'approved' });
  assert.ok(!(await answer).isError);
  assert.ok(deleted.includes('/waits'));
});

test('where nobody can sign in, the tool says so and no page is offered', async (t) => {
  const { base } = await startGuarded(t, { SERVICE_CLAIM_AUTH: 'none' });
  const { token } = await freshToken(base);
  const { structuredContent } = await callAs(base, token, { path: '/a' });
  assert.match(String(structuredContent?.error?.message), /nobody can sign in at this server/);
  const page = await fetch(`${base}/approvals/${'a'.repeat(32)}`);
  assert.equal(page.status, 403);
  assert.match(await page.text(), /SERVICE_CLAIM_AUTH/);
});

test('with SERVICE_AUTH=local whoever is on this machine decides, as before', async (t) => {
  const { base, deleted } = await startGuarded(t, { SERVICE_AUTH: 'local' });
  const { token } = await freshToken(base);
  const page = pageIn(await callAs(base, token, { path: '/a' }));
  const operator = await personAt(base, page, 'nobody@example.com');
  await operator.send(pathOf(page), { decision: 'approved' });
  assert.ok(!(await callAs(base, token, { path: '/a' })).isError);
  assert.deepEqual(deleted, ['/a']);
});
