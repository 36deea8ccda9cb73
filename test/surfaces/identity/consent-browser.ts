import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { storeWith } from '#contract/house/store';
import type { IdentityTables } from '../../../generated/surfaces/identity/tables.ts';
import type { WholeServer } from './whole-server.ts';

/** A browser that keeps cookies and follows nothing by itself. */
export interface Browser {
  open(url: string): Promise<Response>;
  send(url: string, form: URLSearchParams, headers?: Record<string, string>): Promise<Response>;
}

/** Sign in somebody who is new here, without the pages that other tests are about. */
export async function signedIn(
  { service }: WholeServer,
  email = `${randomBytes(8).toString('hex')}@example.com`,
): Promise<Browser & { readonly user: string }> {
  const secret = randomBytes(32).toString('base64url');
  const { db } = storeWith<IdentityTables>(service.engines.store);
  const now = Date.now();
  const user = `usr_${randomBytes(8).toString('hex')}`;
  await db
    .insertInto('identity_user')
    .values({ tenant: 'default', id: user, email, name: 'Ada', created_at: now, not_before: 0 })
    .execute();
  await db
    .insertInto('identity_session')
    .values({
      ...{ tenant: 'default', hash: createHash('sha256').update(secret).digest('base64url'), user },
      ...{ auth_time: now, amr: '["pwd"]', created_at: now, expires_at: now + 3_600_000 },
    })
    .execute();
  return { ...browser(new Map([['session', secret]])), user };
}

/** A browser with some cookies. */
export function browser(cookies = new Map<string, string>()): Browser {
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    async open(url) {
      return keep(await fetch(url, { redirect: 'manual', headers: { cookie: cookie() } }));
    },
    async send(url, body, headers = {}) {
      const sent = { cookie: cookie(), origin: new URL(url).origin, ...headers };
      return keep(await fetch(url, { method: 'POST', redirect: 'manual', body, headers: sent }));
    },
  };
}

/** Where an answer leads. */
export function leadsTo(response: Response, from: string): URL {
  const location = response.headers.get('location');
  assert.ok(location !== null, `${from} answers ${response.status} and leads nowhere`);
  return new URL(location, from);
}

/** The page that asks for consent, opened from the address that a client has made. */
export async function openConsent(person: Browser, url: string | URL) {
  const begun = await person.open(String(url));
  const page = leadsTo(begun, String(url));
  // Back at the client already: there is nothing to open.
  if (page.pathname !== '/oauth2/consent') return { page, shown: begun, text: '', begun };
  const shown = await person.open(page.href);
  const text = shown.status === 200 ? await shown.text() : '';
  return { page, shown, text, begun };
}

/** What the form of the page holds. */
export function formOf(text: string): URLSearchParams {
  const form = new URLSearchParams();
  for (const [, name = '', value = ''] of text.matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)">/g,
  )) {
    form.set(name, value);
  }
  for (const [, value = ''] of text.matchAll(/name="scope" value="([^"]+)"/g)) {
    form.append('scope', value);
  }
  return form;
}

/** Open the page and decide; gives where the browser is sent then. */
export async function decide(
  person: Browser,
  url: string | URL,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URL> {
  const { page, shown, text } = await openConsent(person, url);
  if (shown.status === 303) return leadsTo(shown, page.href);
  assert.equal(shown.status, 200, `${page.href} answers ${shown.status}`);
  const form = formOf(text);
  form.set('decision', decision);
  const target = new URL('/oauth2/consent', page).href;
  return leadsTo(await person.send(target, form), target);
}
