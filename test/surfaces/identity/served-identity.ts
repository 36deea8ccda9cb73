import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { createService, type Service } from '../../../runtime/main.ts';
import { removeAfter } from '../../runtime/store/temporary-directory.ts';
import type { Ending } from '../common-server.ts';

export interface ServedIdentity {
  readonly base: string;
  readonly service: Service;
  readonly dataDir: string;
  /** Let the clock of the server, and of the test, go on. */
  advance(ms: number): void;
}

/** How many processes' worth of memory there are behind an address. */
export const replicas = process.env['IDENTITY_REPLICAS'] === undefined ? 1 : 2;

/** Servers that use the clock. */
let served = 0;

/**
 * Serve all of the server in this process, with a clock that the test turns, and a folder of its
 * own unless `env` names one. With `IDENTITY_REPLICAS`, the URL of a database in
 * PostgreSQL, it is two of them over a copy of it.
 */
export async function serveIdentity(
  t: Ending,
  env: Readonly<Record<string, string>> = {},
): Promise<ServedIdentity> {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'));
  const dataDir = env['SERVICE_DATA_DIR'] ?? join(folder, 'data');
  // The house takes the clock when it is made.
  if (served === 0) mock.timers.enable({ apis: ['Date'], now: Date.now() });
  served += 1;
  t.after(() => {
    served -= 1;
    if (served === 0) mock.timers.reset();
  });
  const advance = (ms: number) => mock.timers.setTime(Date.now() + ms);
  const settings = {
    ...{ SERVICE_PROVIDER: 'osv', SERVICE_LOG_LEVEL: 'silent' },
    ...env,
    SERVICE_DATA_DIR: dataDir,
  };
  const postgres = process.env['IDENTITY_REPLICAS'];
  if (postgres !== undefined) {
    const { serveTwoReplicas } = await import('./replicas/two-replicas.ts');
    removeAfter(t, folder);
    return { ...(await serveTwoReplicas(t, settings, postgres)), dataDir, advance };
  }
  const service = await createService(settings);
  await service.life.start();
  const listening = await service.http.listen({
    host: '127.0.0.1',
    port: Number(env['PORT'] ?? 0),
  });
  t.after(async () => {
    service.mcp.endpoint.drain();
    await service.http.close();
    await service.life.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { base: new URL(listening).origin, service, dataDir, advance };
}
