import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { base64url, CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Answer, Json } from './checkout-shop.ts';

/** Somebody who signs: an issuer of mandates, an agent. */
export interface Signer {
  readonly kid: string;
  readonly public: JWK;
  sign(header: object, claims: object): Promise<string>;
}

export async function newSigner(kid: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return {
    kid,
    public: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' },
    sign: (header, claims) =>
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'ES256', kid, ...header })
        .sign(privateKey),
  };
}

export interface Platform {
  readonly url: string;
  /** What stands at a path; where nothing does, 404. */
  readonly documents: Record<string, unknown>;
}

const version = '2026-08-25';

export function profile(...capabilities: readonly string[]): Json {
  const entries = capabilities.map((name) => [
    name,
    [{ version, spec: 'https://ucp.dev/x', schema: 'https://ucp.dev/x.json' }],
  ]);
  const ucp = { version, services: {}, payment_handlers: {} };
  return { ucp: { ...ucp, capabilities: Object.fromEntries(entries) } };
}

/** A platform of this machine, whose profile businesses read. */
export async function startPlatform(t: Pick<TestContext, 'after'>): Promise<Platform> {
  const documents: Record<string, unknown> = {
    '/profile': profile('dev.ucp.shopping.checkout'),
    '/mandates': profile('dev.ucp.shopping.checkout', 'dev.ucp.shopping.ap2_mandate'),
    '/catalog': profile('dev.ucp.shopping.catalog'),
    '/old': { ucp: { version: '2026-01-11', services: {}, payment_handlers: {} } },
    '/broken': { keys: [] },
  };
  const server = createServer(({ url = '' }, response) => {
    const found = documents[url];
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, documents };
}

/** What lets a server reach it. */
export const reachesPlatform = {
  SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
  SERVICE_ALLOW_INSECURE_FETCH: 'yes',
} as const;

/** Ask as a client of UCP does. */
export async function ucp(
  base: string,
  path: string,
  agent: string | undefined,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const response = await fetch(`${base}/ucp/checkout-sessions${path}`, {
    method,
    headers: {
      ...(agent !== undefined && { 'ucp-agent': `profile="${agent}"` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answered = (await response.json()) as Json;
  return { status: response.status, headers: response.headers, body: answered };
}

/** A token that discloses what its claims name by hashes (RFC 9901). */
export async function disclosing(
  signer: Signer,
  header: object,
  claims: object,
  mandate: object,
): Promise<string> {
  const text = base64url.encode(JSON.stringify([crypto.randomUUID(), mandate]));
  const digest = await hashOf(text);
  const delegated = { ...claims, delegate_payload: [{ '...': digest }], _sd_alg: 'sha-256' };
  return `${await signer.sign(header, delegated)}~${text}~`;
}

export async function hashOf(text: string): Promise<string> {
  return base64url.encode(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
  );
}
