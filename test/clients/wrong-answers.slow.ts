import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type BoundProvider, bindProvider, providerIds } from '../providers/bound-provider.ts';
import { type Fixture, fixturesOf } from '../providers/fixture.ts';
import { startInMemoryServer } from '../runtime/in-memory-server.ts';
import { type AnsweringServer, startAnsweringServer } from '../upstream/answering-server.ts';
import { wrongTypes } from '../upstream/wrong-types.ts';
import { type AnyClient, connectFirst, connectSecond, listAll } from './connect.ts';
import { undemanding } from './foreign/foreign-server.ts';

// Vendors answer with other types than they promise. The official clients hold each answer to the
// output schema of its tool and throw away the whole of it where one member does not fit (MCP
// 2026-07-28, tools/call): with this server, there is nothing for them to throw away.

const mark = 'dev.agent-tool-server/not-as-described';

const connectors: readonly [name: string, connect: (url: URL) => Promise<AnyClient>][] = [
  ['@modelcontextprotocol/client, auto', (url) => connectSecond(url, 'auto')],
  ['@modelcontextprotocol/sdk', connectFirst],
];

let vendor: AnsweringServer;
let bound: readonly BoundProvider[];
let url: URL;
const cleanUp: (() => unknown)[] = [];

before(async () => {
  vendor = await startAnsweringServer();
  bound = await Promise.all(providerIds.map((id) => bindProvider(id, vendor.url)));
  const tools = bound.flatMap((provider) => Array.from(provider.tools.values(), undemanding));
  url = await startInMemoryServer(
    { after: (clean) => cleanUp.push(clean as () => unknown) },
    { tools },
  );
});

after(async () => {
  for (const clean of cleanUp) await clean();
  for (const provider of bound) await provider.close();
  await vendor.close();
});

interface Called {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

function answerWith({ status, headers, body }: Fixture['response']) {
  vendor.answer = (response) => {
    response.writeHead(status, headers);
    response.end(typeof body === 'object' ? JSON.stringify(body) : body);
  };
}

async function callOf(client: AnyClient, { tool, arguments: args }: Fixture): Promise<Called> {
  return (await client.callTool({ name: tool, arguments: args })) as Called;
}

for (const [name, connect] of connectors) {
  suite(`${name} takes every answer`, () => {
    let client: AnyClient;
    const marked = new Set<string>();
    before(async () => {
      client = await connect(url);
      await listAll(client);
    });
    after(() => client.close());

    for (const id of providerIds) {
      const fixtures = fixturesOf(id);

      test(`of ${id} that is as promised, and finds no mark in it`, async () => {
        for (const fixture of fixtures) {
          answerWith(fixture.response);
          const { isError, _meta } = await callOf(client, fixture);
          assert.notEqual(isError, true, fixture.tool);
          assert.equal(_meta?.[mark], undefined, fixture.tool);
        }
      });

      for (const [kind, change] of Object.entries(wrongTypes)) {
        test(`of ${id} with ${kind}`, async () => {
          for (const fixture of fixtures) {
            const { body } = fixture.response;
            if (typeof body !== 'object') continue;
            answerWith({ ...fixture.response, body: change(body) });
            const result = await callOf(client, fixture);
            assert.ok(result.content.length > 0, fixture.tool);
            if (result._meta?.[mark] === undefined) continue;
            marked.add(fixture.tool);
            assert.match(
              result.content.at(-1)?.text ?? '',
              /has not answered as this tool describes/,
            );
            assert.deepEqual(result.structuredContent?.['not_as_described'], result._meta[mark]);
          }
        });
      }
    }

    test('of which most tools had one that does not fit', () => {
      assert.ok(marked.size > 100, [...marked].join(' '));
    });
  });
}
