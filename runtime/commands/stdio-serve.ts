import { createService } from '../main.ts';
import { claimFree } from '../stdio/claim-place.ts';
import { LocalServer } from '../stdio/local-server.ts';
import { exitCode } from './command.ts';
import { localParts, start, stop, stopSignals } from './service-life.ts';

/** One that has been told to make room may still have calls that it finishes. */
const patienceMs = 5000;

/** Serve the bridges of this data directory, over its socket alone, for as long as there are any. */
export async function serveStdio(): Promise<number> {
  const service = await createService(process.env, [], { isStarted: true });
  const { dataDir, shutdownTimeoutMs, stdioLingerMs } = service.config;
  const stopped = stopSignals().first;
  const place = await claimFree(dataDir, patienceMs + shutdownTimeoutMs);
  // Another one was faster, and serves the same clients.
  if (!place) return exitCode.success;
  const local = new LocalServer({ ...localParts(service), place, isForBridges: true });
  await start(service, local, () => local.listen());
  const { log, running } = service.engines;
  log.info({ pid: process.pid }, 'serves stdio clients');
  /** Whether somebody's work is being done. */
  const isBusy = () => running.size > 0 || service.mcp.tasks.running > 0;
  const reason = await Promise.race([stopped, local.unneeded(stdioLingerMs, isBusy)]);
  log.info({ reason }, 'stopping');
  await stop(service, local);
  return exitCode.success;
}
