import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import { createOutbound } from '../../../runtime/outbound/index.ts';
import { callContext } from '../../runtime/outbound/harness.ts';
import type { Dialect } from './dialect.ts';
import { Refusal } from './dialect.ts';
import type { Drafted } from './draft-dialects.ts';

/** What a list gave that was read from page to page. */
export interface Walked {
  readonly ids: readonly unknown[];
  /** Addresses that were asked for. */
  readonly asked: readonly string[];
  readonly pages: number;
  readonly ending: Readonly<Record<string, unknown>>;
  readonly first: Readonly<Record<string, unknown>>;
}
const mostPages = 40;

export async function walk(
  dialect: Dialect,
  { provider, tool }: Drafted,
  limit?: number,
): Promise<Walked> {
  const { asked, url, server } = await start(dialect);
  const outbound = createOutbound({
    version: '1',
    contact: 'walk@example.org',
    allow: ['127.0.0.0/8'],
    env: {},
    baseUrls: new Map([[provider.id, `${url}/proxied`]]),
  });
  try {
    const bound = outbound.tool(provider, tool);
    const ids: unknown[] = [];
    let cursor: unknown;
    let first: Record<string, unknown> | undefined;
    for (let pages = 1; pages <= mostPages; pages++) {
      const args = {
        ...(limit !== undefined && cursor === undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      };
      const { structuredContent } = await bound.call(args, callContext());
      const result = isObject(structuredContent) ? structuredContent : {};
      first ??= result;
      ids.push(...idsIn(result));
      cursor = result['next_cursor'];
      if (cursor === undefined) {
        return { ids, asked, pages, ending: result, first };
      }
    }
    throw new Error(`still no end after ${mostPages} pages: ${asked.slice(0, 4).join(' ')}`);
  } catch (error) {
    if (error instanceof ToolError) throw new Error(`${error.message} after ${asked.join(' ')}`);
    throw error;
  } finally {
    await outbound.close(0);
    server.closeAllConnections();
    server.close();
  }
}

/** Every id of a thing, wherever the list stands in the result. */
function idsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (!isObject(value)) return [];
  if (typeof value['id'] === 'string' && 'name' in value) return [value['id']];
  return Object.values(value).flatMap(idsIn);
}

async function start(dialect: Dialect): Promise<{ url: string; asked: string[]; server: Server }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { url = '', method, headers } = request;
    const at = new URL(url, 'http://things.internal');
    const sent: unknown = method === 'POST' ? await json(request).catch(() => ({})) : {};
    asked.push(
      `${url}${method === 'POST' ? ` ${JSON.stringify(sent)}` : ''}${headers.range ? ` Range: ${headers.range}` : ''}`,
    );
    try {
      const told = dialect.answer({
        query: at.searchParams,
        body: isObject(sent) ? sent : {},
        headers,
        url: 'http://things.internal/things',
      });
      const isText = typeof told.body === 'string';
      response.writeHead(told.status ?? 200, {
        'content-type': dialect.mediaType ?? 'application/json',
        ...(told.headers as Record<string, string>),
      });
      response.end(isText ? told.body : JSON.stringify(told.body));
    } catch (error) {
      response.writeHead(error instanceof Refusal ? 400 : 500, {
        'content-type': 'application/json',
      });
      response.end(JSON.stringify({ message: String(error) }));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, server };
}
