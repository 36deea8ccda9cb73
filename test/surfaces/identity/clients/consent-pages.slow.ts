import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import {
  barriersOf,
  openIn,
  picture,
  screens,
  sidewaysPixels,
  startBrowser,
  unreachableTexts,
} from '../../../browser/browser.ts';
import { bearer, postForm, rpc } from '../agent.ts';
import { startWholeServer } from '../whole-server.ts';

// The pages on which people let hosts in and give them more, in a browser.

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const redirect = 'https://client.example/callback';
const client = {
  ...{ client_id: 'host', redirect_uris: [redirect] },
  client_name: `A host with a long name ${'and more '.repeat(8)}`,
};

async function requireGood(page: Page, name: string): Promise<void> {
  await picture(page, name);
  assert.deepEqual(await barriersOf(page), [], name);
  assert.deepEqual(await unreachableTexts(page), [], name);
  assert.ok((await sidewaysPixels(page)) <= 0, `${name}: nothing lies beside the screen`);
  assert.ok(Buffer.byteLength(await page.content()) < 30_000, `${name}: 30 kB at most`);
}

function start(t: TestContext) {
  return startWholeServer(t, {
    SERVICE_PROVIDER: 'github',
    SERVICE_PROVIDER_AUTH_JSON: '{"github":"a token of the operator"}',
    SERVICE_OAUTH_CLIENTS: JSON.stringify([client]),
  });
}

function authorizationUrl(base: string, scope: string): string {
  const url = new URL(`${base}/oauth2/authorize`);
  url.search = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'host', redirect_uri: redirect, scope },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', state: 'a state' },
  }).toString();
  return url.href;
}

/** Press a button and give where the browser is sent: the place of the client, which is not asked. */
async function leaveBy(page: Page, button: string): Promise<URL> {
  const text = 'back at the client';
  await page.route('https://client.example/**', (route) => route.fulfill({ body: text }));
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByText(text).waitFor();
  return new URL(page.url());
}

for (const [screen, options] of Object.entries(screens)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const look = `${screen}-${colorScheme}`;
    test(`${look}: a person lets a host in, with less than it asks for, and gives it more later`, async (t) => {
      const { base } = await start(t);
      const browser = await startBrowser(t);
      const scope = 'mcp.tools api.read';
      const page = await openIn(t, browser, authorizationUrl(base, scope), {
        ...{ ...options, colorScheme },
      });
      await page.getByLabel('E-mail address').fill('ada@example.com');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
      await requireGood(page, `consent-${look}`);
      await page.getByRole('checkbox', { name: /api\.read/ }).uncheck();
      const back = await leaveBy(page, 'Allow');
      assert.equal(back.searchParams.get('state'), 'a state');
      assert.equal(back.searchParams.get('iss'), base);
      const { json } = await postForm(`${base}/oauth2/token`, {
        ...{ grant_type: 'authorization_code', code: String(back.searchParams.get('code')) },
        ...{ redirect_uri: redirect, code_verifier: verifier, client_id: 'host' },
      });
      assert.equal(json.scope, 'mcp.tools', 'what was left out is not given');
      const call = { name: 'github_users_get_me', arguments: {} };
      const refused = await rpc(base, 'tools/call', call, bearer(json.access_token));
      assert.equal(refused.status, 403, refused.text);
      await page.goto(refused.json.error.data.elevation_url);
      await page.getByRole('heading', { name: 'Allow more?' }).waitFor();
      await requireGood(page, `elevation-${look}`);
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.getByRole('heading', { name: 'Allowed' }).waitFor();
      await requireGood(page, `elevated-${look}`);
      const wider = await postForm(`${base}/oauth2/token`, {
        ...{ grant_type: 'refresh_token', refresh_token: json.refresh_token, client_id: 'host' },
      });
      assert.match(wider.json.scope, /provider:github:read/);
    });
  }
}

test('a person who says no sends the host away with that, and nothing else', async (t) => {
  const { base } = await start(t);
  const browser = await startBrowser(t);
  const page = await openIn(t, browser, authorizationUrl(base, 'mcp.tools'));
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const back = await leaveBy(page, 'Cancel');
  assert.equal(back.searchParams.get('error'), 'access_denied');
  assert.equal(back.searchParams.get('code'), null);
});
