import { after } from 'node:test';
import pino from 'pino';
import type { Caller } from '#contract/caller';
import type { AuditEvent } from '#contract/house/audit';
import type { Tool, ToolResult } from '#contract/tool';
import { createHouseEvents } from '../../../generated/audit-events.ts';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { Call, type ClientSide } from '../../../runtime/admission/call.ts';
import { ToolShelf } from '../../../runtime/house/tool-shelf.ts';
import { InnerCalls } from '../../../runtime/mcp/request/inner-calls.ts';
import { createMetrics } from '../../../runtime/observe/metrics.ts';
import { Catalogue, toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import { openSandbox } from '../../../runtime/sandbox/open-sandbox.ts';
import { ToolSearch } from '../../../runtime/search/tool-search.ts';
import { surface } from '../../../runtime/surfaces/code/index.ts';
import { frontOver } from '../search/front-over.ts';

/** These tools behind the surface for scripts; gives what calls its tools, and what is written down. */
export async function codeSurface(tools: readonly Tool[], callRate = 0) {
  const log = pino({ level: 'silent' });
  const events: AuditEvent[] = [];
  const receipt = { seq: 1, hash: 'a'.repeat(64), ts: '2026-01-01T00:00:00.000Z' };
  const audit = createHouseEvents({
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
  const shelved = {
    catalogue,
    search,
    calls: new InnerCalls({ catalogue, metrics: createMetrics(), log }),
  };
  const shelf = new ToolShelf();
  shelf.fill(shelved);
  const settings = { threads: 1, cpuMs: 600_000, memory: 16 * 1024 * 1024, calls: 20 };
  const made = await surface.create({ tools: shelf, openSandbox, log }, settings);
  const { tools: direct } = await frontOver(shelved, 'code');
  const front = [...toolsInMemory(made.tools ?? []), ...direct];
  const instructions = made.leads?.instructions?.(shelf.sources('t')) ?? '';
  catalogue.putInFront({
    id: 'code',
    title: 'Code',
    tools: front,
    instructions: () => instructions,
  });
  after(() => made.stop?.());

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
