import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Provider } from '#contract/provider';
import type { Tool } from '#contract/tool';
import { bindProvider, callContext, providerIds } from './bound-provider.ts';
import { type Fixture, fixturesOf } from './fixture.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const ajv = new Ajv2020({
  ...{ strict: false, validateFormats: false, unicodeRegExp: false },
  // What is compiled is asked once.
  code: { optimize: false },
});

for (const id of providerIds) {
  suite(`${id}: each tool sends and shapes what its fixture says`, async () => {
    const received: Received[] = [];
    let answer: Fixture['response'] = { status: 500, headers: {} };
    const server = createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: await text(request) });
      response.writeHead(answer.status, answer.headers);
      response.end(typeof answer.body === 'object' ? JSON.stringify(answer.body) : answer.body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const bound = await bindProvider(id, `http://127.0.0.1:${port}`);
    after(async () => {
      await bound.close();
      server.close().closeAllConnections();
    });

    const fixtures = fixturesOf(id);
    test('there is a fixture for each tool', () => {
      assert.deepEqual(fixtures.map(({ tool }) => tool).sort(), [...bound.tools.keys()].sort());
    });

    for (const fixture of fixtures) {
      test(fixture.tool, async () => {
        const tool = bound.tools.get(fixture.tool);
        assert.ok(tool);
        assertValid(tool.definition.input, fixture.arguments);
        answer = fixture.response;
        received.length = 0;
        const result = await tool.call(fixture.arguments, callContext());
        assertSent(received[0], fixture.request, bound.provider);
        assertShaped(tool, result.structuredContent, fixture);
      });
    }
  });
}

function assertSent(sent: Received | undefined, wanted: Fixture['request'], provider: Provider) {
  assert.ok(sent, 'nothing was sent');
  assert.equal(sent.method, wanted.method);
  const url = new URL(sent.url, 'http://vendor.example');
  const wantedUrl = new URL(wanted.url);
  const prefix = prefixOf(wanted.url, provider);
  // What was made up from a description may name another server than the curation does by now.
  const wantedPath = wantedUrl.pathname.slice(prefix?.length ?? -url.pathname.length);
  assert.equal(url.pathname, wantedPath);
  assert.deepEqual(sorted(url.searchParams), sorted(wantedUrl.searchParams));
  for (const [name, value] of Object.entries(wanted.headers ?? {})) {
    const got: unknown = sent.headers[name.toLowerCase()];
    assert.equal(String(got).split(';')[0], value.split(';')[0], `header ${name}`);
  }
  if (wanted.body === undefined) assert.equal(sent.body, '');
  else if (typeof wanted.body === 'string') {
    assert.deepEqual(
      sorted(new URLSearchParams(sent.body)),
      sorted(new URLSearchParams(wanted.body)),
    );
  } else assert.deepEqual(JSON.parse(sent.body), wanted.body);
}

/** The path prefix of the server that `url` belongs to, if it does: moving a provider replaces it. */
function prefixOf(url: string, provider: Provider): string | undefined {
  const { hostname } = new URL(url);
  const server = provider.servers.find((candidate) => {
    const pattern = candidate.url.replace(/\{\w+\}/g, 'x');
    return new URL(pattern).hostname.split('.').slice(1).join('.') ===
      hostname.split('.').slice(1).join('.') && candidate.url.includes('{')
      ? true
      : new URL(pattern).hostname === hostname;
  });
  return server && new URL(server.url.replace(/\{\w+\}/g, 'x')).pathname.replace(/\/$/, '');
}

function sorted(parameters: URLSearchParams): string[] {
  return [...parameters].map(([name, value]) => `${name}=${value}`).sort();
}

function assertShaped(tool: Tool, structured: unknown, fixture: Fixture) {
  assert.deepEqual(JSON.parse(JSON.stringify(structured)), fixture.result);
  assert.ok(tool.definition.output, 'there is no output schema');
  assertValid(tool.definition.output, structured);
}

function assertValid(schema: object, value: unknown) {
  const validate = ajv.compile(schema);
  assert.ok(validate(value), JSON.stringify(validate.errors));
}
