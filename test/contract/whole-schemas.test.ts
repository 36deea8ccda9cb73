import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Provider } from '#contract/provider';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { put } from '../generator/small-specs.ts';
import { startInMemoryServer } from '../runtime/in-memory-server.ts';
import { modern } from '../runtime/mcp/rpc.ts';
import { testOutbound } from '../runtime/outbound/harness.ts';
import { sendJson, startUpstream } from '../runtime/outbound/upstream.ts';

/** Far more than a client is shown: parts that lead back to all of them, and a long list of values. */
const partCount = 400;
const parishes = Array.from({ length: 3000 }, (_, index) => `parish-${index}`);
const lastPart = `part_${partCount - 1}`;

const part = {
  type: 'object',
  properties: {
    label: { type: 'string', description: 'What it is called', maxLength: 12 },
    count: { type: 'integer', format: 'int64' },
    colour: { type: 'string', enum: ['red', 'green', 'blue'] },
    within: { $ref: '#/components/schemas/Thing' },
  },
  required: ['label'],
  additionalProperties: false,
};

const names = Array.from({ length: partCount }, (_, index) => `part_${index}`);
const parts = names.map((name) => [name, { $ref: `#/components/schemas/${name}` }] as const);

const document = {
  openapi: '3.1.0',
  info: { title: 'Golden', version: '1' },
  paths: {
    '/things': {
      put: {
        operationId: 'putThing',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
        },
        responses: { 200: { description: 'Done' } },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'What the thing is called' },
          parish: { $ref: '#/components/schemas/Parish' },
          parts: { $ref: '#/components/schemas/Parts' },
        },
        required: ['name'],
      },
      Parish: { type: 'string', enum: parishes },
      Parts: { type: 'object', properties: Object.fromEntries(parts), additionalProperties: false },
      ...Object.fromEntries(names.map((name) => [name, part])),
    },
  },
};

const curation = `provider: golden
title: Golden
servers: [{ url: https://golden.example.com }]
auth: [{ type: none }]
operations:
  - name: golden_thing_save
    resource: things
    from: { operationId: putThing }
    purpose: Save a thing
    annotations: { readOnly: false, destructive: false, idempotent: true }
`;

async function generated(t: TestContext): Promise<Provider> {
  const base = mkdtempSync(join(tmpdir(), 'whole-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const project = join(import.meta.dirname, '../..');
  cpSync(join(project, 'specs/schemas'), join(base, 'specs/schemas'), { recursive: true });
  symlinkSync(join(project, 'runtime'), join(base, 'runtime'));
  cpSync(join(project, 'package.json'), join(base, 'package.json'));
  put(base, 'specs/providers/golden/curation.yaml', curation);
  put(base, 'specs/providers/golden/openapi.yaml', JSON.stringify(document));
  const { diagnostics } = await generate({ base });
  const told = diagnostics.find(({ code }) => code === 'SPEC021');
  assert.match(
    told?.message ?? '',
    /left open and 1 of its lists of values is left out.*held to all/,
  );
  const index = pathToFileURL(join(base, 'generated/providers/golden/index.ts'));
  const { golden }: { golden: Provider } = await import(index.href);
  return golden;
}

test('what a client is not shown of a schema is checked all the same', async (t) => {
  const provider = await generated(t);
  const upstream = await startUpstream(t, (response) => sendJson(response, { done: true }));
  const outbound = testOutbound(t, { baseUrls: new Map([['golden', upstream.url]]) });
  const tool = await provider.tools['golden_thing_save']?.();
  assert.ok(tool);
  const url = await startInMemoryServer(t, { tools: [outbound.tool(provider, tool)] });

  const listed = await modern(url, { method: 'tools/list' });
  const [shown] = Object(listed.body.result)['tools'];
  assert.ok(JSON.stringify(shown.inputSchema).length <= 32_768);
  assert.ok(!JSON.stringify(tool.input).includes(lastPart));

  const call = async (given: object): Promise<string> => {
    const params = { name: tool.name, arguments: given };
    const { body } = await modern(url, { method: 'tools/call', params });
    const { content, isError } = Object(body.result);
    return isError ? content[0].text : 'done';
  };
  const deep = (value: object) => ({ name: 'n', parts: { [lastPart]: value } });

  const wrong = await call(deep({ label: 'x', colour: 'gren', within: deep({ size: 1 }) }));
  const place = `parts.${lastPart}`;
  assert.deepEqual(
    wrong
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .toSorted(),
    [
      `- ${place}.colour: must be one of "red", "green", "blue", but "gren" was given; did you mean "green"?`,
      `- ${place}.within.${place}.label (string) is required but missing`,
      `- ${place}.within.${place}.size is not a known argument`,
    ],
  );

  const unlisted = await call({ parish: 'parish-29999' });
  assert.match(unlisted, /^- parish: must be one of 3000 values, such as "parish-2999", /m);
  assert.match(unlisted, /^- name \(string\) is required but missing: What the thing is called$/m);
  assert.ok(unlisted.length < 600, unlisted);

  const rounded = await call(deep({ label: 'x', count: 9_007_199_254_740_993_000 }));
  assert.match(rounded, /or the digits of a longer one as text/);
  assert.equal(upstream.seen.length, 0);

  const right = deep({ label: 'x', count: '9007199254740993', within: { name: 'inner' } });
  assert.equal(await call({ ...right, parish: 'parish-2999' }), 'done');
  assert.match(upstream.seen[0]?.body ?? '', /"count":9007199254740993,/);
});
