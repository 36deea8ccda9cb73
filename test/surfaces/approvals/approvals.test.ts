import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import type { Tool } from '#contract/tool';
import {
  ask,
  type ConfirmServerOptions,
  can,
  deleting,
  openPage,
  press,
  type Result,
  send,
  startConfirmServer,
} from '../../runtime/admission/confirm/confirm-server.ts';
import { toolOf } from '../../runtime/in-memory-tools.ts';
import { sqliteDatabase } from '../../runtime/store/replicas.ts';
import { type Ending, shared } from '../common-server.ts';

const call = { name: 'delete_file', arguments: { path: '/a' } };
const opened = { page: { action: 'accept' } };

interface Options extends Partial<ConfirmServerOptions> {
  readonly more?: readonly Tool[];
}

async function start(t: Ending, { more = [], ...options }: Options = {}) {
  const [store, other] = await (await sqliteDatabase(t)).replicas(2);
  assert.ok(store && other);
  const deleted: unknown[] = [];
  const tools = [deleting(deleted), ...more];
  const server = await startConfirmServer(t, { store, tools, ...options });
  const replica = () => startConfirmServer(t, { store: other, tools, ...options });
  return { ...server, deleted, replica };
}

const serve = shared((t) => start(t));

/** A server that others ask too, and a call that nobody else makes. */
async function startWith(path: string) {
  const { url, deleted } = await serve();
  return { url, call: { ...call, arguments: { path } }, isDeleted: () => deleted.includes(path) };
}

function pageIn(result: Result): string {
  const { error } = result.structuredContent ?? {};
  assert.equal(error?.code, 'confirmation_required', JSON.stringify(result));
  assert.ok(error.approval_url !== undefined, error.message);
  return error.approval_url;
}

function refusedIn(result: Result, why: RegExp): void {
  assert.equal(result.structuredContent?.error?.code, 'confirmation_required');
  assert.equal(result.structuredContent.error.approval_url, undefined);
  assert.match(result.structuredContent.error.message, why);
}

test('a client that can do nothing gets an address; after the approval the same call runs once', async (t) => {
  const { url, deleted, noted, replica } = await start(t);
  const other = await replica();
  const page = pageIn(await ask(url, can.nothing, call));
  assert.equal(pageIn(await ask(url, can.nothing, call)), page, 'there is one question, not two');
  // Another replica shows and decides.
  const there = new URL(new URL(page).pathname, other.url).href;
  assert.match((await press(there, 'approved')).text, /Approved/);
  const results = await Promise.all(
    [url, other.url, url].map((each) => ask(each, can.nothing, call)),
  );
  assert.deepEqual(deleted, ['/a']);
  assert.equal(results.filter(({ isError }) => !isError).length, 1);
  assert.notEqual(pageIn(await ask(url, can.nothing, call)), page);
  assert.deepEqual(
    [...noted, ...other.noted].map(({ payload }) => payload),
    [{ decision: 'approved', way: 'page', operation: 'delete_file' }],
  );
});

test('an approval is worth nothing for other arguments and for another caller', async (t) => {
  let subject = 's';
  const { url, deleted } = await start(t, { subject: () => subject });
  await press(pageIn(await ask(url, can.nothing, call)), 'approved');
  pageIn(await ask(url, can.nothing, { ...call, arguments: { path: '/b' } }));
  subject = 'somebody else';
  pageIn(await ask(url, can.nothing, call));
  assert.deepEqual(deleted, []);
});

test('what was declined is not done, and not asked again for ten minutes', async (t) => {
  let now = Date.now();
  const { url, deleted } = await start(t, { now: () => now });
  const page = pageIn(await ask(url, can.nothing, call));
  assert.match((await press(page, 'declined')).text, /Nothing was done/);
  refusedIn(await ask(url, can.nothing, call), /declined/);
  now += 600_001;
  assert.notEqual(pageIn(await ask(url, can.nothing, call)), page);
  assert.deepEqual(deleted, []);
});

test('a question and an approval expire', async (t) => {
  let now = Date.now();
  const { url, deleted, approvals } = await start(t, { now: () => now });
  const first = pageIn(await ask(url, can.nothing, call));
  const shown = await openPage(first);
  now += 600_001;
  assert.equal((await openPage(first)).status, 404);
  assert.equal((await press(first, 'approved', shown)).status, 404);
  const second = pageIn(await ask(url, can.nothing, call));
  await press(second, 'approved');
  now += 600_001;
  assert.notEqual(pageIn(await ask(url, can.nothing, call)), second);
  await approvals.removeExpired();
  assert.deepEqual(deleted, []);
});

test('a client that opens pages waits for the person there, and runs the tool itself', async (t) => {
  const { url, deleted } = await start(t, { patienceMs: 60_000 });
  const { inputRequests, requestState } = await ask(url, can.pages, call);
  const { mode, url: page } = inputRequests?.['page']?.params ?? {};
  assert.equal(mode, 'url');
  const answer = ask(url, can.pages, { ...call, inputResponses: opened, requestState });
  assert.deepEqual(deleted, []);
  await press(String(page), 'approved');
  assert.equal((await answer).content?.[0]?.text, 'deleted /a');
  const again = await ask(url, can.pages, { ...call, inputResponses: opened, requestState });
  refusedIn(again, /used already/);
  assert.deepEqual(deleted, ['/a']);
});

test('whoever has opened the page has not agreed yet', async () => {
  const { url, call, isDeleted } = await startWith('/opened');
  const { requestState } = await ask(url, can.pages, call);
  const early = await ask(url, can.pages, { ...call, inputResponses: opened, requestState });
  pageIn(early);
  assert.ok(!isDeleted());
});

test('a user who does not open the page has declined, there as well', async () => {
  const { url, call, isDeleted } = await startWith('/closed');
  const { inputRequests, requestState } = await ask(url, can.pages, call);
  const inputResponses = { page: { action: 'decline' } };
  refusedIn(await ask(url, can.pages, { ...call, inputResponses, requestState }), /declined/);
  const page = String(inputRequests?.['page']?.params['url']);
  assert.match((await openPage(page)).text, /Declined/);
  assert.ok(!isDeleted());
});

test('without a page and without a client that asks, the tool cannot run', async (t) => {
  const { url, deleted } = await start(t, { hasPage: false });
  refusedIn(await ask(url, can.nothing, call), /client that declares elicitation/);
  refusedIn(await ask(url, can.tasks, call), /client that declares elicitation/);
  assert.deepEqual(deleted, []);
});

test('a full desk is a tool error that says what to do, and is in the way of no other tool', async (t) => {
  const other = toolOf({ name: 'refund', confirm: 'elicitation' }, async () => ({ content: [] }));
  const { url, deleted } = await start(t, { more: [other] });
  const paths = Array.from({ length: 300 }, (_, n) => `/${n}`);
  const results = await Promise.all(
    paths.map((path) => ask(url, can.nothing, { ...call, arguments: { path } })),
  );
  const codes = Map.groupBy(results, (each) => each.structuredContent?.error?.code);
  assert.deepEqual([...codes.keys()].sort(), ['confirmation_required', 'rate_limited_local']);
  const asked = codes.get('confirmation_required') ?? [];
  assert.equal(asked.length, 50);
  const full = await ask(url, can.nothing, call);
  const { error } = full.structuredContent ?? {};
  assert.equal(error?.code, 'rate_limited_local');
  assert.match(
    error.message,
    /50 calls of delete_file wait .* approved or declined at the addresses .* or call again in \d+ s/,
  );
  pageIn(await ask(url, can.nothing, { name: 'refund' }));
  await press(pageIn(asked[0] ?? assert.fail()), 'declined');
  pageIn(await ask(url, can.nothing, call));
  assert.deepEqual(deleted, []);
});

test('guesses, and what other sites load, use up nothing of the page', async (t) => {
  const { url, deleted } = await start(t);
  const page = pageIn(await ask(url, can.nothing, call));
  const guess = () => new URL(`/approvals/${randomBytes(24).toString('base64url')}`, url).href;
  const load = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
  for (const dest of ['image', 'iframe', 'empty']) {
    for (let n = 0; n < 50; n += 1) {
      assert.equal((await openPage(page, { ...load, 'sec-fetch-dest': dest })).status, 403);
      assert.equal((await openPage(guess())).status, 404);
      assert.equal((await send(guess(), 'decision=approved&token=x')).status, 403);
    }
  }
  // A chat in the browser links to it.
  const link = { ...load, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  assert.equal((await openPage(page, link)).status, 200);
  assert.equal((await press(page, 'approved')).status, 200);
  assert.deepEqual(deleted, []);
});

test('the page escapes what it shows, runs nothing and is kept nowhere', async () => {
  const { url } = await serve();
  const path = `</pre><script>alert("x")</script><img src=x onerror='y'>&amp;`;
  const page = pageIn(await ask(url, can.nothing, { ...call, arguments: { path } }));
  const { status, text, headers } = await openPage(page);
  assert.equal(status, 200);
  assert.doesNotMatch(text, /<script|<img/);
  assert.match(text, /&lt;script&gt;alert\(\\&quot;x\\&quot;\)&lt;\/script&gt;/);
  assert.match(text, /&amp;amp;/);
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; /);
  assert.match(policy, /; form-action 'self'$/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(String(headers['set-cookie']), /HttpOnly; SameSite=Lax/);
  assert.match(String(headers['content-type']), /^text\/html/);
});

test('a page that cannot be opened is told to browsers on a page, and to programs as a problem', async () => {
  const { url } = await serve();
  const wrong = new URL('/approvals/x', url);
  const browsers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const shown = await fetch(wrong, { headers: browsers });
  assert.equal(shown.status, 400);
  assert.match(String(shown.headers.get('content-type')), /^text\/html/);
  assert.match(String(shown.headers.get('content-security-policy')), /^default-src 'none'/);
  assert.match(await shown.text(), /<h1>This address is not complete<\/h1>/);
  const told = await fetch(wrong);
  assert.equal(told.status, 400);
  assert.match(String(told.headers.get('content-type')), /^application\/problem\+json/);
});

test('only the form of the page decides', async () => {
  const { url, call, isDeleted } = await startWith('/form');
  const page = pageIn(await ask(url, can.nothing, call));
  const other = pageIn(
    await ask(url, can.nothing, { ...call, arguments: { path: '/another form' } }),
  );
  const shown = await openPage(page);
  const token = /name="token" value="([^"]*)"/.exec(shown.text)?.[1] ?? '';
  const cookie = String(shown.headers['set-cookie']).split(';', 1)[0] ?? '';
  const form = `decision=approved&token=${token}`;
  assert.equal((await send(page, 'decision=approved', cookie)).status, 400);
  assert.equal((await send(page, 'decision=approved&token=', cookie)).status, 403);
  assert.equal((await send(page, form)).status, 403, 'no cookie');
  assert.equal((await send(page, form, 'form=another')).status, 403);
  assert.equal((await send(other, form, cookie)).status, 403, 'the token of another page');
  assert.equal((await send(page, `decision=yes&token=${token}`, cookie)).status, 400);
  pageIn(await ask(url, can.nothing, call));
  assert.equal((await send(page, form, `other=1; ${cookie}`)).status, 200);
  assert.equal((await send(page, form, cookie)).status, 409, 'it is decided');
  assert.equal((await send(page, form.replace('approved', 'declined'), cookie)).status, 409);
  assert.ok(!isDeleted());
});

test('an address that names nothing shows nothing', async () => {
  const { url } = await serve();
  const unknown = new URL(`/approvals/${'a'.repeat(32)}`, url).href;
  assert.equal((await openPage(unknown)).status, 404);
  assert.equal((await openPage(new URL('/approvals/1', url).href)).status, 400);
});

test('nothing counts as approved that cannot be written down', async (t) => {
  const note = () => {
    throw new Error('the disk is full');
  };
  const { url, deleted } = await start(t, { note });
  const page = pageIn(await ask(url, can.nothing, call));
  assert.equal((await press(page, 'approved')).status, 500);
  assert.equal(pageIn(await ask(url, can.nothing, call)), page);
  assert.deepEqual(deleted, []);
});
