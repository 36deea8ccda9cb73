import { once } from 'node:events';
import { requireLoopback } from '#contract/loopback';
import { createService, type Service } from '../main.ts';
import { StartError } from '../start-error.ts';
import { type Command, exitCode } from './command.ts';
import { greeting } from './greeting.ts';

/** Start the server, and stop it in good order when the process is told to. */
export const serve: Command = async () => {
  const service = await createService(process.env);
  for (const warning of service.warnings) service.log.warn(warning);
  const host = requireLoopback(service.config.host);
  const stopped = stopSignal();
  await openState(service);
  await service.jobs.start();
  const address = await listen(service, host).catch(async (error: unknown) => {
    await closeState(service);
    throw error;
  });
  process.stdout.write(greeting(service, address, await service.audit.open()));
  const signal = await stopped;
  service.log.info({ signal }, 'stopping');
  await stop(service);
  return exitCode.success;
};

async function listen({ http, config: { port } }: Service, host: string): Promise<string> {
  try {
    return await http.listen({ host, port });
  } catch (error) {
    throw listenError(error, host, port);
  }
}

/** Say what to do when an address cannot be listened on; what is no matter of the address stays. */
export function listenError(error: unknown, host: string, port: number): unknown {
  if (!(error instanceof Error)) return error;
  const { code, syscall, message }: NodeJS.ErrnoException = error;
  if (syscall === undefined) return error;
  if (code === 'EADDRINUSE') {
    return new StartError(`port ${port} on ${host} is in use; set PORT to another one`);
  }
  if (code === 'EACCES') {
    return new StartError(`port ${port} on ${host} needs rights that this process does not have`);
  }
  return new StartError(`port ${port} on ${host} cannot be listened on: ${message}`);
}

async function stopSignal(): Promise<string> {
  const [signal] = await Promise.race(
    ['SIGINT', 'SIGTERM'].map((name) => once(process, name).then(() => [name])),
  );
  return signal ?? '';
}

/** Take nothing new, let what runs finish, and abort what has not finished in time. */
async function stop(service: Service): Promise<void> {
  const { http, mcp, running, config, outbound } = service;
  mcp.drain();
  const closed = http.close();
  const deadline = setTimeout(() => running.abortAll(), config.shutdownTimeoutMs);
  const end = setTimeout(() => http.server.closeAllConnections(), config.shutdownTimeoutMs + 1000);
  await closed;
  clearTimeout(deadline);
  clearTimeout(end);
  await closeState(service);
  await outbound.close(1000);
}

async function openState({ catalogue, store, audit }: Service): Promise<void> {
  const opened = [catalogue.loadAll(), store.open(), audit.open()];
  const results = await Promise.allSettled(opened);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return;
  await audit.close();
  await store.close();
  throw failed.reason;
}

async function closeState({ jobs, store, audit }: Service): Promise<void> {
  await jobs.stop();
  await audit.close();
  await store.close();
}
