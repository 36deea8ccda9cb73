import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import canonicalize from 'canonicalize';
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  type FlattenedJWSInput,
  flattenedVerify,
} from 'jose';
import { startWholeServer } from '../identity/whole-server.ts';

type Json = Readonly<Record<string, unknown>>;

let base: string;
const ends: (() => Promise<void>)[] = [];

before(async () => {
  const t = { after: (end?: unknown) => void ends.push(end as () => Promise<void>) };
  const tenants = '[{"id":"acme","providers":["arxiv"]}]';
  ({ base } = await startWholeServer(t, {
    SERVICE_TENANTS: tenants,
    SERVICE_X402_PAY_TO: `0x${'1'.repeat(40)}`,
  }));
});

after(async () => {
  for (const end of ends) await end();
});

async function read(path: string, type = 'application/json') {
  const answer = await fetch(`${base}${path}`, { headers: { origin: 'https://page.example' } });
  assert.equal(answer.status, 200, path);
  assert.ok(answer.headers.get('content-type')?.startsWith(type), path);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*', path);
  assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=(300|3600)$/, path);
  assert.ok(answer.headers.get('etag'), path);
  return answer;
}

test('the server card is the same at both places, and the catalogue leads to it (SEP-2127)', async () => {
  const place = await read('/mcp/server-card', 'application/mcp-server-card+json');
  const card = (await place.json()) as Json;
  const other = await read('/.well-known/mcp/server-card.json');
  assert.deepEqual(await other.json(), card);
  assert.match(String(card['name']), /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(String(card['description']).length <= 100);
  assert.deepEqual(card['remotes'], [{ type: 'streamable-http', url: `${base}/mcp` }]);
  const catalogue = await read('/.well-known/ai-catalog.json', 'application/ai-catalog+json');
  const { entries } = (await catalogue.json()) as { entries: readonly Json[] };
  assert.equal(entries[0]?.['url'], `${base}/.well-known/mcp/server-card.json`);
});

test('the agent card names the tools of this server and the extension of AP2 (A2A 1.0, 4.4)', async () => {
  const card = (await (await read('/.well-known/agent-card.json')).json()) as Json;
  for (const member of [
    ...['name', 'description', 'supportedInterfaces', 'version', 'capabilities'],
    ...['defaultInputModes', 'defaultOutputModes', 'skills'],
  ]) {
    assert.ok(card[member], member);
  }
  const { extensions } = card['capabilities'] as { extensions: readonly Json[] };
  assert.equal(extensions[0]?.['uri'], 'https://github.com/google-agentic-commerce/ap2/tree/v0.1');
  assert.equal(extensions[0]?.['required'], undefined, 'what is planned is not demanded');
  const skills = card['skills'] as readonly Json[];
  assert.ok(skills.some(({ id }) => id === 'arxiv'));
});

test('the agent card is signed with a published key, over its canonical text (A2A 1.0, 8.4)', async () => {
  for (const own of ['', '/t/acme']) {
    const card = (await (await read(`${own}/.well-known/agent-card.json`)).json()) as Json;
    const { signatures, ...unsigned } = card;
    const [signature] = signatures as readonly [FlattenedJWSInput];
    const head = decodeProtectedHeader(signature);
    assert.equal(head.typ, 'JOSE');
    assert.equal(head.jku, `${base}${own}/.well-known/jwks.json`);
    const keys = createRemoteJWKSet(new URL(String(head.jku)));
    const payload = Buffer.from(canonicalize(unsigned) ?? '').toString('base64url');
    await flattenedVerify({ ...signature, payload }, keys);
    const changed = canonicalize({ ...unsigned, name: 'Another' }) ?? '';
    const forged = { ...signature, payload: Buffer.from(changed).toString('base64url') };
    await assert.rejects(flattenedVerify(forged, keys), /signature verification failed/);
    assert.doesNotMatch(JSON.stringify(unsigned), /:(false|null|""|\[\]|\{\})/, 'no defaults');
    const again = (await (await read(`${own}/.well-known/agent-card.json`)).json()) as Json;
    assert.deepEqual(again, card, 'the same text for as long as caches keep it');
  }
});

test('UCP and ACP are told that nothing of theirs works here yet', async () => {
  assert.deepEqual(await (await read('/.well-known/ucp')).json(), {
    ucp: { version: '2026-08-25', services: {}, payment_handlers: {} },
    keys: [],
  });
  assert.deepEqual(await (await read('/.well-known/acp.json')).json(), {
    protocol: { name: 'acp', version: '2026-04-17', supported_versions: ['2026-04-17'] },
    api_base_url: base,
    transports: ['rest'],
    capabilities: { services: [] },
  });
});

test('models find everything in /llms.txt', async () => {
  const text = await (await read('/llms.txt', 'text/plain')).text();
  for (const line of [`${base}/mcp`, `${base}/auth.md`, `${base}/openapi.json`, 'arXiv']) {
    assert.ok(text.includes(line), line);
  }
});

test('what is sold is an OpenAPI description that its rules accept (draft-payment-discovery-00)', async () => {
  const answer = await read('/openapi.json');
  const text = await answer.text();
  assert.ok(text.length < 65_536);
  const description = JSON.parse(text) as { openapi: string; paths: Record<string, Json> };
  assert.match(description.openapi, /^3\.1/);
  const isOffer = new Ajv2020().compile({
    type: 'object',
    required: ['intent', 'method', 'amount'],
    properties: {
      intent: { enum: ['charge', 'session', 'subscription'] },
      method: { pattern: '^[a-z]+$' },
      amount: { type: 'string', pattern: '^[0-9]+$' },
    },
    not: { required: ['offers'] },
  });
  const operation = description.paths['/api/v1']?.['get'] as Json;
  assert.ok(isOffer(operation['x-payment-info']), JSON.stringify(isOffer.errors));
  assert.ok((operation['responses'] as Json)['402']);
});

test('a tenant has documents of its own, with its address and its vendors', async () => {
  const card = (await (await read('/t/acme/.well-known/agent-card.json')).json()) as Json;
  assert.deepEqual(
    (card['skills'] as readonly Json[]).map(({ id }) => id),
    ['arxiv'],
  );
  const server = (await (await read('/t/acme/mcp/server-card', 'application/mcp')).json()) as Json;
  assert.deepEqual(server['remotes'], [{ type: 'streamable-http', url: `${base}/t/acme/mcp` }]);
  const { status, headers } = await fetch(`${base}/t/acme/api/v1`);
  assert.equal(status, 402);
  const told = JSON.parse(
    Buffer.from(headers.get('payment-required') ?? '', 'base64').toString(),
  ) as { resource: Json };
  assert.equal(told.resource['url'], `${base}/t/acme/api/v1`);
});
