import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, type Service } from '../../../runtime/main.ts';
import { removeAfter } from '../../runtime/store/temporary-directory.ts';
import type { Ending } from '../common-server.ts';

export interface WholeServer {
  readonly base: string;
  readonly service: Service;
}

/** Start the whole server on a free port of loopback, with a data folder of its own. */
export async function startWholeServer(
  t: Ending,
  env: Readonly<Record<string, string>> = {},
): Promise<WholeServer> {
  // The anchors of the log lie beside the data folder.
  const folder = mkdtempSync(join(tmpdir(), 'identity-'));
  const settings = {
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_AUTH: 'required',
    ...env,
  };
  const postgres = process.env['IDENTITY_REPLICAS'];
  if (postgres !== undefined) {
    const { serveTwoReplicas } = await import('./replicas/two-replicas.ts');
    removeAfter(t, folder);
    return serveTwoReplicas(t, settings, postgres);
  }
  const service = await createService(settings);
  await service.life.start();
  const base = await service.http.listen({ host: '127.0.0.1', port: 0 });
  t.after(async () => {
    service.engines.running.abortAll();
    await service.http.close();
    await service.life.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { base, service };
}
