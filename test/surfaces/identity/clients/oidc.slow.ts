import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import test, { type TestContext } from 'node:test';
import Provider, { type Configuration } from 'oidc-provider';
import { request } from 'undici';
import { Browser } from '../browser.ts';
import { freePort } from '../outbox/mail-server.ts';
import { serveIdentity } from '../served-identity.ts';

interface Account {
  readonly email: string;
  readonly verified: boolean;
}

/** An OpenID Connect provider where whoever comes has signed in as `account` says. */
async function startProvider(
  t: TestContext,
  redirectUri: string,
  account: () => Account | 'refuses',
): Promise<string> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const configuration: Configuration = {
    clients: [
      {
        client_id: 'tools',
        client_secret: 'a secret of the test',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    findAccount: async (_, id) => ({
      accountId: id,
      claims: async () => {
        const now = account();
        assert.ok(now !== 'refuses');
        return { sub: id, name: 'Ada', email: now.email, email_verified: now.verified };
      },
    }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['of the test'] },
    jwks: undefined,
  };
  const provider = new Provider(issuer, configuration);
  const handle = provider.callback();
  const server: Server = createServer(async (incoming, outgoing) => {
    if (!incoming.url?.startsWith('/interaction/')) return handle(incoming, outgoing);
    const details = await provider.interactionDetails(incoming, outgoing);
    const now = account();
    if (now === 'refuses') {
      const refusal = { error: 'access_denied', error_description: 'not today' };
      return provider.interactionFinished(incoming, outgoing, refusal);
    }
    const grant = new provider.Grant({
      accountId: 'ada',
      clientId: String(details.params['client_id']),
    });
    grant.addOIDCScope('openid email profile');
    const login = { accountId: 'ada', amr: ['pwd'] };
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(incoming, outgoing, { login, consent });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return issuer;
}

async function start(t: TestContext, account: () => Account | 'refuses') {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const issuer = await startProvider(t, `${base}/sign-in/callback`, account);
  const served = await serveIdentity(t, {
    PORT: String(port),
    SERVICE_CLAIM_AUTH: 'oidc',
    SERVICE_OIDC_ISSUER: issuer,
    SERVICE_OIDC_CLIENT_ID: 'tools',
    SERVICE_OIDC_CLIENT_SECRET: 'a secret of the test',
    SERVICE_ALLOW_INSECURE_FETCH: 'true',
  });
  return { ...served, issuer };
}

test('a person signs in at an OpenID Connect provider that says whose address it is', async (t) => {
  const { base } = await start(t, () => ({ email: 'Ada@Example.com', verified: true }));
  const browser = new Browser(base);
  await browser.open('/sign-in?return_to=/healthz');
  assert.equal(browser.page.url, `${base}/healthz`, browser.page.text);
  assert.ok(browser.cookie('session'));
});

test('an address that the provider has not verified signs nobody in', async (t) => {
  const { base } = await start(t, () => ({ email: 'ada@example.com', verified: false }));
  const browser = new Browser(base);
  await browser.open('/sign-in');
  assert.equal(browser.page.status, 403);
  assert.match(browser.page.text, /verified/);
  assert.equal(browser.cookie('session'), undefined);
});

test('a person may turn back at the provider', async (t) => {
  const { base } = await start(t, () => 'refuses');
  const browser = new Browser(base);
  await browser.open('/sign-in');
  assert.equal(browser.page.status, 403);
  assert.match(browser.page.text, /not signed in at the provider/);
});

test('an answer of the provider counts only in the browser that was sent there', async (t) => {
  const { base } = await start(t, () => ({ email: 'ada@example.com', verified: true }));
  const browser = new Browser(base);
  // The page to which the provider leads, without opening it.
  let callback = '';
  const open = async () => {
    const watching = new Browser(base);
    const { headers } = await request(`${base}/sign-in`);
    callback = String(headers['location']);
    return watching;
  };
  await open();
  const atProvider = new Browser(new URL(callback).origin);
  await atProvider.open(callback);
  assert.equal(atProvider.page.status, 410, 'the cookie of the other browser is not here');
  assert.equal(atProvider.cookie('session'), undefined);
  await browser.open('/sign-in');
  assert.equal(browser.page.url, `${base}/agents`);
  assert.notEqual(browser.cookie('session'), undefined);
});

test('a provider that is away is told of, and tried again', async (t) => {
  const port = await freePort();
  const { base } = await serveIdentity(t, {
    SERVICE_CLAIM_AUTH: 'oidc',
    SERVICE_OIDC_ISSUER: `http://127.0.0.1:${port}`,
    SERVICE_OIDC_CLIENT_ID: 'tools',
    SERVICE_ALLOW_INSECURE_FETCH: 'true',
  });
  const browser = new Browser(base);
  assert.equal((await browser.open('/sign-in')).status, 503);
  assert.match(browser.page.text, /does not answer/);
});
