import { ConfigError } from '#contract/config/config';
import { bindable } from '#contract/config/loopback';
import { createService, type Service } from '../main.ts';
import { requireWritable } from '../process/folders.ts';
import { whyTaken } from '../process/free-port.ts';
import { StartError } from '../process/start-error.ts';
import { withWarnings } from '../process/start-warnings.ts';
import { claimOver } from '../stdio/claim-place.ts';
import { LocalServer } from '../stdio/local-server.ts';
import type { MeetingPoint } from '../stdio/meeting-point.ts';
import { type Command, exitCode } from './command.ts';
import { greeting } from './greeting.ts';
import { localParts, start, stop, stopSignals } from './service-life.ts';

/** A server that was started a moment ago may not be reachable yet. */
const startMs = 5000;

const unreachable = 'stdio clients cannot reach this server';

/** Start the server, and stop it in good order when the process is told to. */
export const serve: Command = async () => {
  const service = await createService(process.env, [], { isStarted: true });
  const host = bindable(service.config.host);
  const { port, dataDir } = service.config;
  requireWritable(dataDir);
  // Before anything is made: a port that is taken is found first.
  const taken = await whyTaken(host, port);
  if (taken !== undefined) throw withWarnings(listenError(taken, host, port), service.warnings);
  const signals = stopSignals();
  const { log, audit, running } = service.engines;
  const place = await claimPlace(service);
  const local = place && new LocalServer({ ...localParts(service), place, isForBridges: false });
  const listenAll = async () => {
    const address = await listen(service, host);
    await local?.listen().catch((err) => log.warn({ err }, unreachable));
    return address;
  };
  await start(service, local, listenAll, async (address) => {
    process.stdout.write(greeting(service, address, await audit.open()));
  });
  log.info({ signal: await signals.first }, 'stopping');
  signals.onFurther(() => running.abortAll());
  await stop(service, local);
  return exitCode.success;
};

/** Without a place this server is not found by stdio clients, but serves all others. */
async function claimPlace({ config, engines }: Service): Promise<MeetingPoint | undefined> {
  try {
    return await claimOver(config.dataDir, startMs + config.shutdownTimeoutMs);
  } catch (error) {
    if (error instanceof StartError || error instanceof ConfigError) throw error;
    engines.log.warn({ err: error }, unreachable);
    return undefined;
  }
}

/** Clients that have connected and are not accepted yet; where it is full, they try again a second later. */
const backlog = 4096;

async function listen({ http, config: { port } }: Service, host: string): Promise<string> {
  try {
    return await http.listen({ host, port, backlog });
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
