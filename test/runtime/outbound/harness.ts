import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { CallContext } from '#contract/caller';
import { ToolError } from '#contract/errors';
import { path } from '#contract/path';
import type { Provider } from '#contract/provider';
import type { TypedVendorTool, VendorTool } from '#contract/tool';
import {
  type Clock,
  createOutbound,
  type Outbound,
  type OutboundOptions,
} from '../../../runtime/outbound/index.ts';

type Arguments = Readonly<Record<string, unknown>>;
type Tool = TypedVendorTool<never>;

/** A provider with one server. */
export function testProvider(url: string, changes: Partial<Provider> = {}): Provider {
  return {
    id: 'acme',
    title: 'Acme',
    status: 'beta',
    servers: [{ id: 'api', url }],
    auth: [{ type: 'none' }],
    tools: {},
    ...changes,
  };
}

/** A read of `/things`, changed as the test needs it. */
export function testTool(changes: Partial<Tool> = {}): VendorTool {
  return {
    name: 'acme_things_list',
    description: 'List things',
    annotations: { readOnlyHint: true, openWorldHint: true },
    access: ['mcp.tools'],
    input: { type: 'object', properties: { cursor: { type: 'string' } } },
    request: () => ({ method: 'GET', path: path`/things` }),
    ...changes,
  };
}

/** A write of the kind that must not be repeated. */
export const write = {
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  request: () => ({ method: 'POST', path: path`/things` }),
} as const;

/** Create an outbound that may reach loopback, and close it after the test. */
export function testOutbound(test: TestContext, changes: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({
    version: '1.2.3',
    contact: 'ops@example.com',
    allow: ['127.0.0.0/8'],
    env: {},
    baseUrls: new Map(),
    ...changes,
  });
  test.after(() => outbound.close(0));
  return outbound;
}

export function callContext(changes: Partial<CallContext> = {}): CallContext {
  return {
    caller: {
      tenant: 'default',
      subject: 'local',
      client: 'test',
      scopes: 'all',
      transport: 'mcp',
    },
    signal: new AbortController().signal,
    client: { capabilities: {} },
    answers: { responses: {}, round: 0 },
    callId: 'call-1',
    ...changes,
  };
}

interface Setting {
  readonly provider?: Partial<Provider>;
  readonly tool?: Partial<Tool>;
  readonly options?: Partial<OutboundOptions>;
}

/** Bind a tool to a loopback server: arguments in, structured content out. */
export function caller(test: TestContext, url: string, { provider, tool, options }: Setting = {}) {
  const outbound = testOutbound(test, options);
  const bound = outbound.tool(testProvider(url, provider), testTool(tool));
  const call = (args: Arguments = {}, context = callContext()) => bound.call(args, context);
  return {
    call,
    data: async (args?: Arguments) =>
      (await call(args)).structuredContent as Record<string, unknown>,
    failure: async (args?: Arguments, context?: CallContext) => failureOf(call(args, context)),
  };
}

/** The error that a call ends in. */
export async function failureOf(result: Promise<unknown>): Promise<ToolError> {
  try {
    await result;
  } catch (error) {
    assert.ok(error instanceof ToolError, `expected a ToolError, got ${String(error)}`);
    return error;
  }
  assert.fail('the call succeeded');
}

/** A clock that stands still but for the waits that are asked of it, which pass at once. */
export function stillClock(start = 1_800_000_000_000): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  let now = start;
  return {
    waits,
    now: () => now,
    schedule(ms, done) {
      let called = true;
      waits.push(ms);
      setImmediate(() => {
        if (!called) return;
        now += ms;
        done();
      });
      return () => {
        called = false;
      };
    },
    random: () => 0.5,
  };
}
