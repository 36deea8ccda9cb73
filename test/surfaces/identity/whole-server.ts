import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createService, type Service } from '../../../runtime/main.ts';

export interface WholeServer {
  readonly base: string;
  readonly service: Service;
}

/** Start the whole server on a free port of loopback, with a data folder of its own. */
export async function startWholeServer(
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<WholeServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'identity-'));
  const service = await createService({
    SERVICE_DATA_DIR: dataDir,
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_AUTH: 'required',
    ...env,
  });
  await service.life.start();
  const base = await service.http.listen({ host: '127.0.0.1', port: 0 });
  t.after(async () => {
    service.engines.running.abortAll();
    await service.http.close();
    await service.life.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { base, service };
}
