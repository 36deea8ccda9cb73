import { after } from 'node:test';
import pino from 'pino';
import type { Caller } from '#contract/caller';
import type { AuditEvent } from '#contract/house/audit';
import type { Tool, ToolResult } from '#contract/tool';
import { createAuditEvents } from '../../../generated/audit-events.ts';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { Call, type ClientSide } from '../../../runtime/admission/call.ts';
import { clientForms } from '../../../runtime/mcp/profiles/client-forms.ts';
import { InnerCalls } from '../../../runtime/mcp/request/inner-calls.ts';
import { createMetrics } from '../../../runtime/observe/metrics.ts';
import { Catalogue, toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import { ToolSearch } from '../../../runtime/search/tool-search.ts';
import { createToolFront } from '../../../runtime/surfaces/tool-front.ts';

/** These tools behind the surface for scripts; gives what calls its tools, and what is written down. */
export async function codeSurface(tools: readonly Tool[], callRate = 0) {
  const log = pino({ level: 'silent' });
  const events: AuditEvent[] = [];
  const receipt = { seq: 1, hash: 'a'.repeat(64), ts: '2026-01-01T00:00:00.000Z' };
  const audit = createAuditEvents({
    async append(event) {
      events.push(event);
      return receipt;
    },
    appendLater: (event) => void events.push(event),
  });
  const admission = createAdmission({ callRate, audit: { events: audit, onLoss() {} } });
  const source = { id: 'memory', title: 'In memory', tools: toolsInMemory(tools) };
  const catalogue = new Catalogue([source], admission);
  const search = new ToolSearch(catalogue);
  const { front, sandbox } = await createToolFront('code', {
    catalogue,
    search,
    calls: new InnerCalls({ catalogue, metrics: createMetrics(), log }),
    forms: clientForms,
    log,
    scriptThreads: 1,
    scriptCpuMs: 1000,
    scriptMemory: 16 * 1024 * 1024,
    scriptCalls: 20,
  });
  if (front) catalogue.putInFront(front);
  after(() => sandbox?.close());

  async function call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    scopes: Caller['scopes'] = 'all',
    side: ClientSide = {},
  ): Promise<ToolResult> {
    const caller = { tenant: 't', subject: 's', client: 'c', scopes, transport: 'mcp' } as const;
    const tool = await catalogue.find(name);
    if (!tool) throw new Error(`there is no ${name}`);
    return tool.run(args, new Call(caller, undefined, side));
  }

  return {
    catalogue,
    events,
    call,
    /** The structured result of a script. */
    run: async (code: string, scopes?: Caller['scopes'], side?: ClientSide) =>
      (await call('api_run', { code }, scopes, side)).structuredContent,
  };
}
