import { createInterface } from 'node:readline';
import { createService } from '../../../../runtime/main.ts';
import { toolsInMemory } from '../../../../runtime/offer/catalogue.ts';
import { toolOf } from '../../in-memory-tools.ts';

/**
 * A server with tools that end when a line comes in, for tests that kill it. It says where it
 * listens and then the name of each tool that begins.
 */
const lines = createInterface({ input: process.stdin });
const line = new Promise<void>((resolve) => lines.once('line', () => resolve()));
const tools = (['repeatable', 'unrepeatable'] as const).map((name) => {
  const readOnlyHint = name === 'repeatable';
  const annotations = { readOnlyHint, destructiveHint: !readOnlyHint, openWorldHint: false };
  return toolOf({ name, annotations, task: 'required' }, async (_args, { callId }) => {
    process.stdout.write(`${name}\n`);
    await line;
    return { content: [{ type: 'text', text: callId }] };
  });
});
const source = { id: 'killed', title: 'Killed', tools: toolsInMemory(tools) };
const service = await createService(process.env, [source]);
await service.engines.store.open();
await service.engines.jobs.start();
const address = await service.http.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${new URL('/mcp', address).href}\n`);
