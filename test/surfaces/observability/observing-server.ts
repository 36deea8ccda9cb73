import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { start, stop } from '../../../runtime/commands/service-life.ts';
import { createService } from '../../../runtime/main.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { callTool } from '../search/search-server.ts';

type Json = Record<string, unknown>;

/** The whole server with observability switched on, and what exports go into. */
export async function serveObservability(
  t: Pick<TestContext, 'after'>,
  env: Readonly<Record<string, string>> = {},
) {
  const folder = temporaryDirectory(t);
  const service = await createService({
    SERVICE_PROVIDER: 'osv',
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_TOOL_MODE: 'direct',
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_ENABLE_OBSERVABILITY: '1',
    SERVICE_OBSERVABILITY_ENDPOINT_PORTS: '*',
    SERVICE_OBSERVABILITY_EXPORT_DIR: join(folder, 'exports'),
    ...env,
  });
  let address = '';
  await start(service, undefined, async () => {
    address = await service.http.listen({ host: '127.0.0.1', port: 0 });
  });
  let stopped: Promise<unknown> | undefined;
  const stopOnce = () => {
    stopped ??= stop(service, undefined);
    return stopped;
  };
  t.after(stopOnce);

  const answer = async (reply: Response) => ({
    status: reply.status,
    body: (await reply.json()) as Json,
  });
  const post = async (path: string, payload: object) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(payload);
    return answer(await fetch(`${address}${path}`, { method: 'POST', headers, body }));
  };
  return {
    address: () => address,
    ...{ service, post, exports: join(folder, 'exports'), stop: stopOnce },
    get: async (path: string) => answer(await fetch(`${address}${path}`)),
    /** Register a back end, which must be good. */
    async register(entry: object) {
      const { status, body } = await post('/observability/providers', { name: 'a test', ...entry });
      assert.equal(status, 201, JSON.stringify(body));
    },
    /** Call a tool, and give its result. */
    call: (name: string, args: object) => callTool(new URL('/mcp', address), name, args),
    /** What was written to the audit log under a name, the newest first. */
    async written(action: string) {
      const log = await service.engines.audit.open();
      const { records } = await log.list({ action, limit: 100 });
      return records.map(({ entry }) => entry);
    },
  };
}
