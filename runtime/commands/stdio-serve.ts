import { createService } from '../main.ts';
import { claimFree } from '../stdio/claim-place.ts';
import { LocalServer } from '../stdio/local-server.ts';
import { exitCode } from './command.ts';
import { start, stop, stopSignals } from './service-life.ts';

/** One that has been told to make room may still have calls that it finishes. */
const patienceMs = 5000;

/** Serve the bridges of this data directory, over its socket alone, for as long as there are any. */
export async function serveStdio(): Promise<number> {
  const service = await createService(process.env);
  const { dataDir, shutdownTimeoutMs, stdioLingerMs } = service.config;
  const stopped = stopSignals().first;
  const place = await claimFree(dataDir, patienceMs + shutdownTimeoutMs);
  // Another one was faster, and serves the same clients.
  if (!place) return exitCode.success;
  const local = new LocalServer({ mcp: service.mcp, place, isForBridges: true });
  await start(service, local, () => local.listen());
  service.log.info({ pid: process.pid }, 'serves stdio clients');
  const reason = await Promise.race([stopped, local.unneeded(stdioLingerMs, service.isBusy)]);
  service.log.info({ reason }, 'stopping');
  await stop(service, local);
  return exitCode.success;
}
