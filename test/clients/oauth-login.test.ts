import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondTransport,
} from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { decide, signedIn } from '../surfaces/identity/consent-browser.ts';
import { startStranger } from '../surfaces/identity/strangers.ts';
import { startWholeServer } from '../surfaces/identity/whole-server.ts';

const redirect = 'http://127.0.0.1:45678/callback';
const info = { name: 'test', version: '1.0.0' };
const metadata = {
  client_name: 'Host',
  redirect_uris: [redirect],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

/** Keeps what a host keeps, and notes where it would send its user. */
function host(documentUrl?: string) {
  const kept: Record<string, unknown> = {};
  let sentTo: URL | undefined;
  const provider = {
    redirectUrl: redirect,
    clientMetadata: metadata,
    ...(documentUrl !== undefined && { clientMetadataUrl: documentUrl }),
    state: () => 'a state',
    clientInformation: () => kept['client'],
    saveClientInformation: (client: unknown) => {
      kept['client'] = client;
    },
    tokens: () => kept['tokens'],
    saveTokens: (tokens: unknown) => {
      kept['tokens'] = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      sentTo = url;
    },
    saveCodeVerifier: (verifier: string) => {
      kept['verifier'] = verifier;
    },
    codeVerifier: () => String(kept['verifier']),
    saveDiscoveryState: (state: unknown) => {
      kept['discovery'] = state;
    },
    discoveryState: () => kept['discovery'],
  };
  // Both generations of the official client take the same provider.
  return { provider: provider as unknown as OAuthClientProvider, kept, sentTo: () => sentTo };
}

const generations = {
  v1: {
    transport: (url: URL, provider: OAuthClientProvider) =>
      new FirstTransport(url, { authProvider: provider }),
    client: () => new FirstClient(info),
  },
  v2: {
    transport: (url: URL, provider: OAuthClientProvider) =>
      new SecondTransport(url, { authProvider: provider as never }),
    client: () => new SecondClient(info, { versionNegotiation: { mode: 'auto' } }),
  },
} as const;

async function start(t: TestContext) {
  const server = await startWholeServer(t, { SERVICE_ALLOW_INSECURE_FETCH: '1' });
  return { ...server, url: new URL(`${server.base}/mcp`), person: await signedIn(server) };
}

for (const [name, { transport, client }] of Object.entries(generations)) {
  for (const way of ['registers itself', 'is described by a document'] as const) {
    test(`the official client ${name} ${way}, is let in by its user and lists tools`, async (t) => {
      const { url, person } = await start(t);
      let documentUrl: string | undefined;
      if (way === 'is described by a document') {
        const stranger = await startStranger(t);
        documentUrl = `${stranger.url}/client.json`;
        stranger.documents.set('/client.json', { ...metadata, client_id: documentUrl });
      }
      const { provider, kept, sentTo } = host(documentUrl);
      const first = transport(url, provider);
      await assert.rejects(client().connect(first as never), /[Uu]nauthorized|authoriz/);
      const asked = sentTo();
      assert.ok(asked, 'the user was sent nowhere');
      assert.equal(asked.searchParams.get('resource'), url.href);
      const back = await decide(person, asked);
      assert.equal(back.searchParams.get('state'), 'a state');
      const { code = '', iss } = Object.fromEntries(back.searchParams);
      await first.finishAuth(code, iss);
      const connected = client();
      await connected.connect(transport(url, provider) as never);
      t.after(() => connected.close());
      const { tools } = await connected.listTools();
      assert.ok(tools.length > 0);
      assert.match(JSON.stringify(kept['tokens']), /ort_/);
    });
  }
}
