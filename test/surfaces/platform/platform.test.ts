import assert from 'node:assert/strict';
import test from 'node:test';
import type { CallContext } from '#contract/caller';
import type { ProviderStatus } from '#contract/house/provider-status';
import type { Check } from '#contract/house/readiness';
import type { RouteReply } from '#contract/surface/route';
import type { Surface } from '#contract/surface/surface-module';
import type { ToolDefinition } from '#contract/tool';
import { ToolShelf } from '../../../runtime/house/tool-shelf.ts';
import { surface } from '../../../runtime/surfaces/platform/index.ts';
import { toolPage } from '../../../runtime/surfaces/platform/tool-page.ts';

const context: CallContext = {
  caller: { tenant: 'default', subject: 'local', client: 'test', scopes: 'all', transport: 'http' },
  signal: new AbortController().signal,
  client: { capabilities: {} },
  answers: { responses: {}, round: 0 },
  callId: '1',
};

interface Options {
  readonly checks?: readonly Check[];
  readonly providers?: readonly ProviderStatus[];
}

async function platformWith({ checks = [], providers = [] }: Options = {}): Promise<Surface> {
  const metrics = {
    expose: async (accept: string) => ({ contentType: `for ${accept}`, text: 'up 1\n' }),
    counter: () => () => {},
    counters: () => () => {},
  };
  const readiness = { checks: () => checks };
  const tenants = { all: [], find: () => undefined };
  const tools = new ToolShelf();
  const house = { version: '1.2.3', metrics, readiness, providers, tools, tenants };
  return surface.create(house, {});
}

async function get(path: string, options?: Options): Promise<RouteReply> {
  const { routes } = await platformWith(options);
  const bound = routes?.find(({ route }) => route.path === path);
  assert.ok(bound, `no route ${path}`);
  assert.equal(bound.route.access, 'public');
  return bound.handle({ parameters: {}, accept: 'text/plain', context });
}

test('GET /healthz speaks of the process only, whatever its dependencies do', async () => {
  const checks = [{ name: 'store', check: async () => false }];
  const reply = await get('/healthz', { checks });
  assert.deepEqual(reply, { status: 200, body: { status: 'alive', version: '1.2.3' } });
});

test('GET /readyz is 200 when every dependency works', async () => {
  const checks = [{ name: 'store', check: async () => true }];
  const { status, body } = await get('/readyz', { checks });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    status: 'ready',
    version: '1.2.3',
    checks: [{ name: 'store', ok: true }],
  });
});

test('GET /readyz is 503 and names the dependency that fails or throws', async () => {
  const checks = [
    { name: 'store', check: async () => true },
    { name: 'bus', check: async () => false },
    {
      name: 'vault',
      check: () => {
        throw new Error('down');
      },
    },
  ];
  const { status, body } = await get('/readyz', { checks });
  assert.equal(status, 503);
  assert.deepEqual(body, {
    status: 'unavailable',
    version: '1.2.3',
    checks: [
      { name: 'store', ok: true },
      { name: 'bus', ok: false },
      { name: 'vault', ok: false },
    ],
  });
});

test('GET /metrics gives the text and the type that fit the Accept header', async () => {
  assert.deepEqual(await get('/metrics'), {
    status: 200,
    headers: { 'content-type': 'for text/plain' },
    body: 'up 1\n',
  });
});

test('service_status reports version, uptime and providers, as structure and as text', async () => {
  const provider = { id: 'osv', title: 'OSV', tools: 3, credential: 'not_needed' } as const;
  const { tools = [] } = await platformWith({ providers: [provider] });
  const [tool, ...others] = tools;
  assert.deepEqual(others, []);
  assert.equal(tool?.definition.name, 'service_status');
  assert.equal(tool.definition.annotations.readOnlyHint, true);
  const { content, structuredContent, isError } = await tool.call({}, context);
  assert.equal(isError, undefined);
  const status = structuredContent as { uptime_seconds: number };
  assert.ok(Number.isInteger(status.uptime_seconds) && status.uptime_seconds >= 0);
  assert.deepEqual(
    { ...status, uptime_seconds: 0 },
    { version: '1.2.3', uptime_seconds: 0, providers: [provider] },
  );
  assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(structuredContent) }]);
});

test('the page of a tool says all that it demands of a call', async () => {
  const definition: ToolDefinition = {
    name: 'acme_thing_delete',
    description: 'Delete a thing.',
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
    access: ['provider:acme:write', 'mcp.tools'],
    input: { type: 'object', description: '```\n# not a heading' },
    limit: { requests: 5, perMs: 60_000 },
    price: { amount: '0.01', currency: 'USD' },
    confirm: 'elicitation',
    task: 'required',
    audit: 'intent',
    deprecated: true,
  };
  assert.equal(
    toolPage(definition),
    [
      '# acme_thing_delete\n\n`acme_thing_delete`\n\nDelete a thing.\n',
      '- It overwrites or deletes. Calling it again changes nothing more.',
      '- It needs `provider:acme:write` and `mcp.tools`.',
      '- At most 5 calls in 60 s per caller.',
      '- Costs 0.01 USD.',
      '- A person has to agree to each call.',
      '- Audited: intent.',
      '- Goes on as a task: the client must know the Tasks extension.',
      '- It is deprecated.\n',
      '## Arguments\n\n```json\n{\n  "type": "object",\n  "description": "```\\n# not a heading"\n}\n```\n',
    ].join('\n'),
  );
});
