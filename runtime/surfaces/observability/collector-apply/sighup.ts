import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BackEnds } from '#contract/house/outbound';
import { ReloadError, type Reloader } from './reload.ts';

export interface SighupParts {
  /** Id of the process, or the path of a file that holds it. */
  readonly pid: string;
  readonly binary: string | undefined;
  readonly outputPath: string;
  readonly healthUrl: string;
  readonly backEnds: Pick<BackEnds, 'fetch'>;
  readonly now: () => number;
}

/** How often the collector is asked whether it is there again. */
const lookMs = 50;
/** How long it may take, from the first look at it on. */
const mostMs = 4000;
/** The least time that its health gets for an answer. */
const leastLookMs = 20;

/**
 * SIGHUP has an OpenTelemetry Collector stop all of its components and start them from the file; one
 * that cannot ends. It counts as reloaded once its health is good and dates from after the signal.
 */
export function createSighup(parts: SighupParts): Reloader {
  return {
    mode: 'sighup',
    async reload(signal, withinMs = mostMs) {
      const deadline = performance.now() + withinMs;
      const left = () => Math.max(leastLookMs, Math.round(deadline - performance.now()));
      const pid = await readPid(parts);
      // One that does not answer is told all the same, and has most of the time left for it.
      const before = await upSince(parts, Math.min(1000, withinMs / 4), signal);
      send(pid);
      for (;;) {
        const state = await stateOf(pid);
        if (state === 'ended') {
          throw new ReloadError(`the collector (process ${pid}) has ended instead of reloading`);
        }
        if (state === 'stopped') throw stopped(pid);
        const after = await upSince(parts, Math.min(1000, left()), signal);
        if (after !== undefined && after !== before) {
          return { mode: 'sighup', status: 'reloaded', verifiedAt: parts.now() };
        }
        if (performance.now() > deadline) {
          throw new ReloadError(`the collector was not healthy again within ${withinMs} ms`);
        }
        await pause(lookMs, undefined, { signal });
      }
    },
  };
}

/**
 * Make sure that the number is still that of a collector: it may have been given to another process.
 *
 * @throws ReloadError
 */
async function readPid({ pid: said, binary, outputPath }: SighupParts): Promise<number> {
  const text = /^\d+$/.test(said) ? said : await readText(said, 'the file with its process id');
  const pid = Number(text.trim());
  if (!Number.isSafeInteger(pid) || pid <= 1) {
    throw new ReloadError('SERVICE_COLLECTOR_RELOAD_PID must lead to the id of a process above 1');
  }
  if (pid === process.pid || pid === process.ppid) {
    throw new ReloadError(`process ${pid} is this server, and not the collector`);
  }
  const state = await stateOf(pid);
  if (state === 'ended') throw new ReloadError(`there is no process ${pid}`);
  if (state === 'stopped') throw stopped(pid);
  const line = (await readText(`/proc/${pid}/cmdline`, `process ${pid}`)).replaceAll('\0', ' ');
  const isCollector =
    binary === undefined
      ? /otelcol|alloy|collector/i.test(line) || line.includes(outputPath)
      : line.includes(basename(binary));
  if (!isCollector) throw new ReloadError(`process ${pid} is not the collector`);
  return pid;
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new ReloadError(`${what} cannot be read`, cause);
  }
}

function send(pid: number): void {
  try {
    process.kill(pid, 'SIGHUP');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const reason = code === 'EPERM' ? 'may not be signalled by this user' : 'is not there any more';
    throw new ReloadError(`process ${pid} ${reason}`, cause);
  }
}

function stopped(pid: number): ReloadError {
  return new ReloadError(
    `the collector (process ${pid}) is stopped and reloads nothing: SIGCONT lets it go on`,
  );
}

/** A process that has ended stays in the table until its parent has asked for it. */
async function stateOf(pid: number): Promise<'running' | 'stopped' | 'ended'> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const letter = stat.charAt(stat.lastIndexOf(')') + 2);
    if (/[ZX]/i.test(letter)) return 'ended';
    return /t/i.test(letter) ? 'stopped' : 'running';
  } catch {
    return 'ended';
  }
}

/** Since when the collector says that it works; nothing where it does not. */
async function upSince(
  { healthUrl, backEnds }: SighupParts,
  timeoutMs: number,
  signal: AbortSignal,
) {
  try {
    const options = { maxBytes: 16_384, timeoutMs, signal };
    const { status, body } = await backEnds.fetch(healthUrl, options);
    if (status !== 200) return undefined;
    const { upSince } = JSON.parse(Buffer.from(body).toString('utf8')) as {
      readonly upSince?: unknown;
    };
    return typeof upSince === 'string' ? upSince : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
