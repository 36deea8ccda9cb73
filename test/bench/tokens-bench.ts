import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { createService } from '../../runtime/main.ts';
import { modern } from '../runtime/mcp/rpc.ts';
import type { Row } from './row.ts';

/** How clients can see the tools, each with the most tokens that this may take. */
const modes: readonly { readonly mode: string; readonly most?: number }[] = [
  { mode: 'direct' },
  { mode: 'search', most: 1500 },
  { mode: 'code', most: 1100 },
];

/** What a client sends to its model before the first question: all that is listed, and the instructions. */
export async function tokensBench(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { mode, most } of modes) rows.push(row(mode, await visible(mode), most));
  return rows;
}

interface Visible {
  readonly tools: number;
  readonly tokens: number;
  readonly ofInstructions: number;
  readonly callable: number;
}

function row(
  mode: string,
  { tools, tokens, ofInstructions, callable }: Visible,
  most?: number,
): Row {
  return {
    what: `tokens of the visible tools, all providers, ${mode}`,
    target: most === undefined ? '' : `at most ${most.toLocaleString('en')}`,
    measured: tokens.toLocaleString('en'),
    met: most === undefined ? undefined : tokens <= most,
    detail: `${tools} of ${callable} tools listed; ${ofInstructions} tokens are instructions; o200k`,
  };
}

async function visible(mode: string): Promise<Visible> {
  const service = await createService({
    SERVICE_PROVIDER: 'all-providers',
    SERVICE_TOOL_MODE: mode,
    SERVICE_LOG_LEVEL: 'silent',
  });
  try {
    const url = new URL('/mcp', await service.http.listen({ host: '127.0.0.1', port: 0 }));
    const discovered = await modern(url, { method: 'server/discover' });
    const ofInstructions = encode(String(discovered.body.result?.['instructions'])).length;
    const tools = await listed(url);
    const tokens = ofInstructions + encode(JSON.stringify(tools)).length;
    return { tools: tools.length, tokens, ofInstructions, callable: service.offer.catalogue.size };
  } finally {
    await service.http.close();
    await service.life.stop();
  }
}

async function listed(url: URL, cursor?: unknown): Promise<readonly unknown[]> {
  const params = cursor === undefined ? {} : { cursor };
  const { body } = await modern(url, { method: 'tools/list', params });
  const { tools, nextCursor } = body.result as { tools: unknown[]; nextCursor?: unknown };
  return nextCursor === undefined ? tools : [...tools, ...(await listed(url, nextCursor))];
}
