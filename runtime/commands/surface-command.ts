import { randomUUID } from 'node:crypto';
import { isLoopback } from '#contract/config/loopback';
import { ServiceError } from '#contract/errors';
import { isObject } from '#contract/json';
import { terminalMac, terminalPath, terminalPurpose } from '#contract/surface/terminal-request';
import { createService, type Service } from '../main.ts';
import { StartError } from '../process/start-error.ts';
import { type Command, type CommandOptions, exitCode, UsageError } from './command.ts';

/** How long the server that runs may take. */
const patienceMs = 30_000;

/** A command of a surface: the server that runs on this data does it, else this process. */
export function surfaceCommand(name: string): Command {
  return async (words, options) => {
    const service = await createService(process.env);
    try {
      const text =
        (await askServer(service, name, words, options)) ??
        (await runHere(service, name, words, options));
      process.stdout.write(`${text}\n`);
      return exitCode.success;
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) throw new UsageError(error.message);
      throw error;
    } finally {
      await service.life.stop();
    }
  };
}

async function runHere(
  service: Service,
  name: string,
  words: readonly string[],
  options: CommandOptions,
): Promise<string> {
  const run = service.command(name);
  if (!run) throw new UsageError(`no surface that is enabled knows ${name}`);
  await service.engines.store.open();
  return run(words, options);
}

/** Nothing where no server listens there, or another one than that of this data. */
async function askServer(
  { config: { host, port }, engines }: Service,
  name: string,
  words: readonly string[],
  given: CommandOptions,
): Promise<string | undefined> {
  if (port === 0) return undefined;
  const options = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const request = { name, words, options, time: Date.now(), nonce: randomUUID() };
  const body = { ...request, mac: terminalMac(engines.keys(terminalPurpose), request) };
  const place = isLoopback(host) ? host : '127.0.0.1';
  const url = `http://${place.includes(':') && !place.startsWith('[') ? `[${place}]` : place}:${port}${terminalPath}`;
  let answer: Response;
  try {
    answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    });
  } catch {
    return undefined;
  }
  const told: unknown = await answer.json().catch(() => undefined);
  if (!isObject(told) || answer.status === 403 || answer.status === 404) return undefined;
  const { text, detail } = told;
  if (typeof text === 'string') return text;
  if (answer.status < 500) throw new UsageError(String(detail));
  throw new StartError(`the server that runs could not do it: ${String(detail)}`);
}
