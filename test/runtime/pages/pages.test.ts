import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { request } from 'undici';
import type { Caller } from '#contract/caller';
import { html } from '#contract/html';
import type { Route, RouteHandler } from '#contract/surface/route';
import { createPages } from '../../../runtime/pages/index.ts';
import { pageHeaders } from '../../../runtime/pages/page-text.ts';
import { startInMemoryServer } from '../in-memory-server.ts';

const parameters = [{ name: 'id', in: 'path' }] as const;
const responses = { 200: { contentType: 'text/html; charset=utf-8' }, 403: {} };
const show: Route = {
  ...{ name: 'showForm', method: 'GET', path: '/forms/{id}', access: 'public' },
  ...{ parameters, responses },
};
const send: Route = { ...show, name: 'sendForm', method: 'POST', body: { '*/*': 'text' } };

interface Options {
  readonly isSecure?: boolean;
  readonly now?: () => number;
}

/** A server with a form on a page; gives what opens the page and what sends the form. */
async function start(t: TestContext, { isSecure = false, now = Date.now }: Options = {}) {
  const addressOf = () => ({ basePath: '', isSecure });
  const pages = createPages({ key: () => Buffer.alloc(32, 1), addressOf, now });
  const caller = { tenant: 't', subject: 's', client: 'c', scopes: new Set<string>() };
  let as: Caller = { ...caller, transport: 'http' };
  const placeOf = (id: unknown) => ({ path: `/forms/${id}`, caller: as });
  const showing: RouteHandler = async ({ parameters: { id }, context: { http } }) => {
    const form = pages.form(placeOf(id), http);
    const body = html`<form method="post">${form.field}</form>`;
    return { status: 200, ...pages.show({ title: `<${id}>`, body, form }) };
  };
  const sending: RouteHandler = async ({ parameters: { id }, body, context: { http } }) => {
    const token = new URLSearchParams(String(body)).get('token') ?? '';
    return { status: pages.accepts(placeOf(id), token, http) ? 200 : 403, body: '' };
  };
  const url = await startInMemoryServer(t, {
    authenticate: () => as,
    routes: [
      { route: show, handle: showing },
      { route: send, handle: sending },
    ],
  });
  return {
    origin: url.origin,
    become: (subject: string) => {
      as = { ...as, subject };
    },
    async open(id: string, known = '') {
      const { headers, body } = await request(new URL(`/forms/${id}`, url), {
        headers: { cookie: known },
      });
      const text = await body.text();
      const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
      const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
      return { headers, text, token, cookie };
    },
    async post(id: string, { token, cookie }: Form, headers: Record<string, string> = {}) {
      const { statusCode } = await request(new URL(`/forms/${id}`, url), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers },
        body: new URLSearchParams({ token }).toString(),
      });
      return statusCode;
    },
  };
}

interface Form {
  readonly token: string;
  readonly cookie: string;
}

test('a form counts where its page was shown', async (t) => {
  const { open, post } = await start(t);
  const shown = await open('1');
  assert.equal(await post('1', shown), 200);
  assert.equal(await post('1', { ...shown, cookie: `a=b; ${shown.cookie}` }), 200);
  const other = await open('1');
  assert.equal(await post('1', { ...shown, token: other.token }), 403, 'another page');
  assert.equal(await post('2', shown), 403, 'another address');
  assert.equal(await post('1', { ...shown, cookie: '' }), 403);
  assert.equal(await post('1', { ...shown, token: '' }), 403);
  const late = shown.token.replace(/^\d+/, (until) => String(Number(until) + 1));
  assert.equal(await post('1', { ...shown, token: late }), 403, 'another time');
});

test('pages that are open in several tabs of a browser can all be answered', async (t) => {
  const { open, post } = await start(t);
  const first = await open('1');
  const second = await open('1', first.cookie);
  assert.notEqual(second.token, '');
  assert.equal(second.cookie, first.cookie, 'the browser keeps what the first page has set');
  assert.equal(await post('1', first), 200);
  assert.equal(await post('1', second), 200);
  const planted = await open('1', 'form=x');
  assert.notEqual(planted.cookie, 'form=x', 'only what this server makes is taken over');
});

test('a form belongs to the caller whom it was shown to', async (t) => {
  const { open, post, become } = await start(t);
  const shown = await open('1');
  become('somebody else');
  assert.equal(await post('1', shown), 403);
  become('s');
  assert.equal(await post('1', shown), 200);
});

test('a form is worth nothing after ten minutes', async (t) => {
  let now = Date.now();
  const { open, post } = await start(t, { now: () => now });
  const shown = await open('1');
  now += 599_000;
  assert.equal(await post('1', shown), 200);
  now += 1_000;
  assert.equal(await post('1', shown), 403);
});

test('what the browser says comes from elsewhere does not count (Fetch Metadata, Origin)', async (t) => {
  const { open, post, origin } = await start(t);
  const shown = await open('1');
  for (const site of ['cross-site', 'same-site', 'none']) {
    assert.equal(await post('1', shown, { 'sec-fetch-site': site }), 403, site);
  }
  // Another port of this host gets the same cookies.
  assert.equal(await post('1', shown, { origin: 'http://127.0.0.1:1' }), 403);
  assert.equal(await post('1', shown, { origin: 'null' }), 403);
  assert.equal(await post('1', shown, { 'sec-fetch-site': 'same-origin', origin }), 200);
});

test('the page has browsers say where its forms come from, and cookies stay with it', async (t) => {
  const { open } = await start(t, { isSecure: true });
  const { headers, text } = await open('1');
  // With `no-referrer` the form would arrive with `Origin: null` (Fetch, Origin header).
  assert.equal(headers['referrer-policy'], 'same-origin');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-frame-options'], 'DENY');
  const cookie = String(headers['set-cookie']);
  assert.match(cookie, /; Path=\/forms\/1; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/);
  assert.match(text, /<h1>&lt;1&gt;<\/h1>/);
});

test('a policy names origins and nothing else', () => {
  const { 'content-security-policy': policy = '' } = pageHeaders(['https://app.example/cb?x=1']);
  assert.match(policy, /; form-action 'self' https:\/\/app\.example$/);
  assert.throws(() => pageHeaders(["x; script-src 'unsafe-inline'"]), /which is no URL/);
});
