import { createService } from '../../../../runtime/main.ts';
import { toolsInMemory } from '../../../../runtime/offer/catalogue.ts';
import { benchTools, callResult } from '../../bench-tools.ts';
import { announce } from '../../servers/announce.ts';

/** The whole product, as `npm start` puts it together, with tools that do no I/O. */
const tools = benchTools(100).map(({ inputSchema, ...tool }) => ({
  definition: { ...tool, input: inputSchema, access: ['mcp.tools'] },
  async call(args: Readonly<Record<string, unknown>>) {
    return callResult(String(args['text']));
  },
}));
const source = { id: 'bench', title: 'Bench', tools: toolsInMemory(tools) };
const service = await createService(process.env, [source]);
await service.life.start();
announce(await service.http.listen({ host: '127.0.0.1', port: 0 }));
