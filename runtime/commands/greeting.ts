import type { Service } from '../main.ts';
import { version } from '../version.ts';

/** What a person sees once the server listens: what runs, and what to do next. */
export function greeting({ catalogue, config }: Service, address: string): string {
  const url = `${config.baseUrl ?? address}${config.mcpPath}`;
  const { sources } = catalogue;
  const widest = Math.max(...sources.map(({ id }) => id.length));
  const rows = sources.map(
    ({ id, title, tools }) =>
      `  ${id.padEnd(widest)}  ${String(tools.length).padStart(4)}  ${title}`,
  );
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  return `
Agent Tool Server ${version} listens on ${address}

${catalogue.size} tools:
${rows.join('\n')}

Connect an MCP client:
  claude mcp add --transport http agent-tools ${url}
  {"mcpServers":{"agent-tools":{"type":"http","url":"${url}"}}}

Look at the tools yourself:
  curl -s ${url} -H 'Content-Type: application/json' -d '${list}'

Stop with Ctrl+C.
`;
}
