import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../main.ts';
import { withWarnings } from '../process/start-warnings.ts';
import { parseTenants } from '../process/tenant/declared-tenants.ts';
import type { LocalServer, LocalServerParts } from '../stdio/local-server.ts';
import { exitCode } from './command.ts';

/** What is served over the socket of the data directory. */
export function localParts({
  mcp: { endpoint: mcp },
  engines: { log },
  commands,
  config,
}: Service): Pick<LocalServerParts, 'mcp' | 'log' | 'commands' | 'tenants'> {
  const tenants = parseTenants(config.tenants).map(({ id }) => id);
  return { mcp, log, commands, tenants };
}

/** Start everything, let it listen, wait for what opens meanwhile, and then say that it runs. */
export async function start<Place>(
  service: Service,
  local: LocalServer | undefined,
  listen: () => Promise<Place>,
  tell: (place: Place) => Promise<void> = async () => {},
): Promise<void> {
  const { life, warnings, engines } = service;
  await life.start().catch((error: unknown) => {
    throw withWarnings(error, warnings);
  });
  try {
    const place = await listen();
    await life.ready();
    for (const warning of warnings) engines.log.warn(warning);
    await tell(place);
  } catch (error) {
    // Nobody would be left to stop it.
    await Promise.all([service.http.close(), local?.close()]);
    await life.stop();
    local?.release();
    throw withWarnings(error, warnings);
  }
}

/** Stop in good order at the first signal; whoever sends another one wants it sooner. */
export function stopSignals() {
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
export async function stop(service: Service, local: LocalServer | undefined): Promise<void> {
  const { http, mcp, config, life } = service;
  const { running, log } = service.engines;
  const patience = config.shutdownTimeoutMs;
  mcp.endpoint.drain();
  const closed = Promise.all([http.close(), local?.close()]);
  const deadline = setTimeout(() => running.abortAll(), patience);
  const end = setTimeout(() => {
    http.server.closeAllConnections();
    local?.closeAllConnections();
  }, patience + 1000);
  const last = setTimeout(() => {
    log.error('the server does not come to its end and is cut off');
    process.exit(exitCode.failure);
  }, patience + closingMs);
  await closed;
  await Promise.race([running.ended(), sleep(outcomeMs, undefined, { ref: false })]);
  clearTimeout(deadline);
  clearTimeout(end);
  await life.stop();
  local?.release();
  clearTimeout(last);
}
