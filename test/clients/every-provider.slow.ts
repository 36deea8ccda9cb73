import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { providers } from '../../generated/providers.ts';
import { createService, type Service } from '../../runtime/main.ts';
import { type Fixture, fixturesOf, specOf } from '../providers/fixture.ts';
import { faults } from '../upstream/faults.ts';
import { startUpstream, type Upstream } from '../upstream/upstream.ts';
import { type AnyClient, connectFirst, connectSecond, listAll } from './connect.ts';
import { inspect } from './inspector.ts';

// The whole server with every provider, each against its vendor on loopback.

const ids = Object.keys(providers);
const upstreams = new Map<string, Upstream>();
const folder = mkdtempSync(join(tmpdir(), 'every-provider-'));
let service: Service;
let url: URL;

before(async () => {
  for (const id of ids) upstreams.set(id, await startUpstream(specOf(id)));
  service = await createService(await environment());
  // The credentials that people have connected are in the store.
  await service.life.start();
  url = new URL('/mcp', await service.http.listen({ host: '127.0.0.1', port: 0 }));
});

after(async () => {
  await service.http.close();
  await service.life.stop();
  for (const upstream of upstreams.values()) await upstream.close();
  rmSync(folder, { recursive: true });
});

async function environment(): Promise<Record<string, string>> {
  const env: Record<string, string> = {
    SERVICE_PROVIDER: 'all-providers',
    SERVICE_TOOL_MODE: 'direct',
    SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_CONTACT: 'test@example.com',
    SERVICE_DATA_DIR: join(folder, 'data'),
  };
  for (const [id, entry] of Object.entries(providers)) {
    env[`SERVICE_PROVIDER_${id.toUpperCase()}_URL`] = upstreams.get(id)?.url ?? '';
    for (const scheme of (await entry.load()).auth) {
      if (scheme.type !== 'none' && (scheme.required || scheme.connect))
        env[scheme.env[0] ?? ''] = `key-of-${id}`;
    }
  }
  return env;
}

/** A tool that can be called with the arguments of its first documented exchange. */
function example(id: string): Fixture {
  const [fixture] = fixturesOf(id);
  return fixture ?? assert.fail(`${id} has no fixture`);
}

const connectors: readonly [name: string, connect: typeof connectFirst][] = [
  ['@modelcontextprotocol/client, auto', (to) => connectSecond(to, 'auto')],
  ['@modelcontextprotocol/client, legacy', (to) => connectSecond(to, 'legacy')],
  ['@modelcontextprotocol/sdk', connectFirst],
];

for (const [name, connect] of connectors) {
  suite(name, () => {
    let client: AnyClient;
    before(async () => {
      client = await connect(url);
    });
    after(() => client.close());

    test('lists the tools of every provider', async () => {
      const names = await listAll(client);
      assert.equal(names.length, service.offer.catalogue.size);
      for (const id of ids)
        assert.ok(
          names.some((tool) => tool.startsWith(`${id}_`)),
          id,
        );
    });

    for (const id of ids) {
      const { tool, arguments: args } = example(id);

      test(`calls ${tool}`, async () => {
        const result = (await client.callTool({ name: tool, arguments: args })) as Called;
        assert.notEqual(result.isError, true, JSON.stringify(result.content));
        assert.ok(result.content.length > 0);
      });

      test(`sees ${tool} refuse an argument`, async () => {
        const wrong = { ...args, no_such_argument: 1 };
        const result = (await client.callTool({ name: tool, arguments: wrong })) as Called;
        assert.equal(result.isError, true);
        assert.equal(result.structuredContent?.error?.code, 'invalid_arguments');
      });
    }
  });
}

interface Called {
  readonly content: readonly unknown[];
  readonly isError?: boolean;
  readonly structuredContent?: { readonly error?: { readonly code: string } };
}

suite('a vendor that fails', () => {
  const fault = faults.find(({ name }) => name === '403');
  for (const id of ids) {
    test(`${id} is heard by the client`, async (t) => {
      const client = await connectSecond(url, 'auto');
      const upstream = upstreams.get(id) ?? assert.fail();
      const { tool, arguments: args } = fixturesOf(id).at(-1) ?? example(id);
      upstream.fault = fault;
      t.after(() => {
        upstream.fault = undefined;
        return client.close();
      });
      const result = (await client.callTool({ name: tool, arguments: args })) as Called;
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent?.error?.code, 'forbidden');
    });
  }
});

test('the operator sees which spec does not describe what its vendor answers', async (t) => {
  const client = await connectSecond(url, 'auto');
  t.after(() => client.close());
  const upstream = upstreams.get('usgs_earthquakes') ?? assert.fail();
  for (const count of [true, '12']) {
    upstream.next = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ count, maxAllowed: 20_000 }));
    };
    const call = { name: 'usgs_earthquakes_count', arguments: {} };
    const { structuredContent } = (await client.callTool(call)) as Called;
    const places = ['count is no integer'];
    const rest = { count: null, maxAllowed: 20_000, not_as_described: places };
    assert.deepEqual(structuredContent, rest);
  }
  const metrics = await (await fetch(new URL('/metrics', url))).text();
  const line = 'vendor_answer_misfits_total{gen_ai_tool_name="usgs_earthquakes_count"} 2';
  assert.ok(metrics.includes(line), metrics);
});

test('mcp-inspector lists everything and calls a tool', async () => {
  const { tools } = JSON.parse(await inspect(url, '--method', 'tools/list'));
  assert.equal(tools.length, service.offer.catalogue.size);
  const call = ['--method', 'tools/call', '--tool-name', 'service_status'];
  const { structuredContent } = JSON.parse(await inspect(url, ...call));
  assert.equal(structuredContent.providers.length, ids.length);
});
