import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from '../../../runtime/main.ts';
import { createFixture } from './fixture.ts';

export interface ConformanceServer {
  readonly url: URL;
  close(): Promise<void>;
}

/** Start the product with the fixture on a free port of the loopback interface, in a folder of its own. */
export async function startConformanceServer(
  env: Readonly<Record<string, string>> = {},
): Promise<ConformanceServer> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const fixture = createFixture();
  const service = await createService(
    // One level down, because the audit log keeps its anchors beside it.
    {
      SERVICE_LOG_LEVEL: 'error',
      SERVICE_TOOL_MODE: 'direct',
      SERVICE_DATA_DIR: join(folder, 'data'),
      ...env,
    },
    [fixture.source],
  );
  fixture.attach(service.offer);
  await service.engines.store.open();
  await service.engines.audit.open();
  await service.engines.jobs.start();
  const address = await service.http.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: new URL(service.config.mcpPath, address),
    async close() {
      service.engines.running.abortAll();
      service.http.server.closeAllConnections();
      await service.http.close();
      await service.engines.jobs.stop();
      await service.engines.audit.close();
      await service.engines.store.close();
      await service.vendors.outbound.close(0);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
