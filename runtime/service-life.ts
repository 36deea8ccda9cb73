import { once } from 'node:events';
import type { Service } from './main.ts';
import type { LocalServer } from './stdio/local-server.ts';

/** Open what the service keeps, begin with its own work, and then let it listen. */
export async function start<Address>(
  service: Service,
  listen: () => Promise<Address>,
): Promise<Address> {
  await open(service);
  try {
    return await listen();
  } catch (error) {
    await close(service);
    throw error;
  }
}

async function open(service: Service): Promise<void> {
  for (const warning of service.warnings) service.log.warn(warning);
  const { catalogue, store, audit, jobs } = service;
  const opened = [catalogue.loadAll(), store.open(), audit.open()];
  const results = await Promise.allSettled(opened);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await audit.close();
    await store.close();
    throw failed.reason;
  }
  await jobs.start();
}

/** The signal that tells this process to stop. */
export async function stopSignal(): Promise<string> {
  const [signal] = await Promise.race(
    ['SIGINT', 'SIGTERM'].map((name) => once(process, name).then(() => [name])),
  );
  return signal ?? '';
}

/** Take nothing new, let what runs finish, and abort what has not finished in time. */
export async function stop(service: Service, local: LocalServer | undefined): Promise<void> {
  const { http, mcp, running, config, outbound } = service;
  mcp.drain();
  const closed = Promise.all([http.close(), local?.close()]);
  const deadline = setTimeout(() => running.abortAll(), config.shutdownTimeoutMs);
  const end = setTimeout(() => {
    http.server.closeAllConnections();
    local?.closeAllConnections();
  }, config.shutdownTimeoutMs + 1000);
  await closed;
  clearTimeout(deadline);
  clearTimeout(end);
  await close(service);
  local?.release();
  await outbound.close(1000);
}

async function close({ jobs, store, audit, sandbox }: Service): Promise<void> {
  await sandbox?.close();
  await jobs.stop();
  await audit.close();
  await store.close();
}
