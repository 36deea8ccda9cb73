import { createInterface } from 'node:readline';
import type { Tool } from '#contract/tool';
import { createEvents } from '../../../generated/events.ts';
import { ToolShelf } from '../../../runtime/house/tool-shelf.ts';
import { createService } from '../../../runtime/main.ts';
import { InnerCalls } from '../../../runtime/mcp/request/inner-calls.ts';
import { toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import { WorkflowEngine } from '../../../runtime/surfaces/workflows/engine.ts';
import { RunTable } from '../../../runtime/surfaces/workflows/run-table.ts';
import { workflowTool } from '../../../runtime/surfaces/workflows/workflow-tool.ts';
import { toolOf } from '../../runtime/in-memory-tools.ts';
import { killed } from './killed-workflow.ts';

/**
 * A replica with the workflow that tests kill. Its steps ask the vendor at VENDOR_URL, with the key of
 * the call where they have one. It says where it listens, and ends with its input.
 */
const vendor = process.env['VENDOR_URL'] ?? '';

const tools = killed.steps.map((step): Tool => {
  const { tool: name = '', repeat, id } = step;
  const annotations = {
    readOnlyHint: id.startsWith('read'),
    destructiveHint: false,
    idempotentHint: repeat === 'safe',
    openWorldHint: true,
  };
  const input = { type: 'object', properties: { run: { type: 'string' } } };
  return toolOf({ name, annotations, input }, async ({ run }, { callId, signal }) => {
    const key = repeat === 'keyed' ? { 'idempotency-key': callId } : {};
    const headers = { ...key, replica: process.env['REPLICA'] ?? '' };
    const answer = await fetch(`${vendor}/${run}/${id}`, { method: 'POST', headers, signal });
    const structuredContent = (await answer.json()) as object;
    return { content: [{ type: 'text', text: id }], structuredContent };
  });
});

const shelf = new ToolShelf();
const tool = workflowTool(killed, {
  tools: shelf,
  find: async () => undefined,
  engine: { run: (...asked) => engine().run(...asked) },
});
const service = await createService(process.env, [
  { id: 'killed', title: 'Killed', tools: toolsInMemory([...tools, tool]) },
]);
const { engines, offer, life, http } = service;
shelf.fill({ ...offer, search: offer.search, calls: new InnerCalls({ ...engines, ...offer }) });

let made: WorkflowEngine | undefined;
function engine(): WorkflowEngine {
  made ??= new WorkflowEngine({
    table: new RunTable({ store: engines.store, events: createEvents(engines.bus), now: Date.now }),
    tools: shelf,
    confirm: {
      require: () => Promise.reject(new Error('nobody is asked')),
      withdraw: async () => {},
    },
    now: Date.now,
    find: async () => undefined,
    ...{ onStart: () => {}, onStep: () => {}, onEnd: () => {} },
  });
  return made;
}

await life.start();
const address = await http.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${new URL('/mcp', address).href}\n`);
createInterface({ input: process.stdin }).once('close', () => process.exit(0));
