import { setTimeout as sleep } from 'node:timers/promises';
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
  const signals = stopSignals();
  await openState(service);
  try {
    await service.jobs.start();
    const address = await listen(service, host);
    process.stdout.write(greeting(service, address, await service.audit.open()));
  } catch (error) {
    // Nobody would be left to stop it.
    await service.http.close();
    await closeState(service);
    throw error;
  }
  service.log.info({ signal: await signals.first }, 'stopping');
  signals.onFurther(() => service.running.abortAll());
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

/** Stop in good order at the first signal; whoever sends another one wants it sooner. */
function stopSignals() {
  const first = Promise.withResolvers<string>();
  // Nothing has been taken in yet while the server starts.
  let further = () => process.exit(exitCode.failure);
  let count = 0;
  for (const name of ['SIGINT', 'SIGTERM']) {
    process.on(name, () => {
      count += 1;
      if (count > 1) further();
      first.resolve(name);
    });
  }
  return {
    first: first.promise,
    onFurther(act: () => void) {
      further = act as () => never;
      if (count > 1) act();
    },
  };
}

/** How long what was aborted may take to write its outcome. */
const outcomeMs = 2000;
/** How long anchors, jobs and databases may take to be left, all together. */
const closingMs = 20_000;

/** Take nothing new, let what runs finish, and abort what has not finished in time. */
async function stop(service: Service): Promise<void> {
  const { http, mcp, running, config, outbound, log } = service;
  const patience = config.shutdownTimeoutMs;
  mcp.drain();
  const closed = http.close();
  const deadline = setTimeout(() => running.abortAll(), patience);
  const end = setTimeout(() => http.server.closeAllConnections(), patience + 1000);
  const last = setTimeout(() => {
    log.error('the server does not come to its end and is cut off');
    process.exit(exitCode.failure);
  }, patience + closingMs);
  await closed;
  await Promise.race([running.ended(), sleep(outcomeMs, undefined, { ref: false })]);
  clearTimeout(deadline);
  clearTimeout(end);
  await closeState(service);
  await outbound.close(1000);
  clearTimeout(last);
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
