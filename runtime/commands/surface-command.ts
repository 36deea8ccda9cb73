import { ServiceError } from '#contract/errors';
import { createService } from '../main.ts';
import { lookAtConfiguration } from '../process/configuration.ts';
import { commandLocally } from '../stdio/local-command.ts';
import { type Command, type CommandOptions, exitCode, UsageError } from './command.ts';

/** A command of a surface: the server that runs on this data does it, else this process. */
export function surfaceCommand(name: string): Command {
  return async (words, options) => {
    try {
      process.stdout.write(`${await askSurface(name, words, options)}\n`);
      return exitCode.success;
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) throw new UsageError(error.message);
      throw error;
    }
  };
}

/** What a surface says to an operator: in the server that runs on this data, else in this process. */
export async function askSurface(
  name: string,
  words: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  return (await askServer(name, words, options)) ?? (await runHere(name, words, options));
}

/** Nothing where no server runs on this data directory. */
async function askServer(
  name: string,
  words: readonly string[],
  given: CommandOptions,
): Promise<string | undefined> {
  const { config, problems } = lookAtConfiguration(process.env);
  // Where something is wrong, this process says so, with all else that is.
  if (problems.length > 0) return undefined;
  const options = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  return commandLocally(config.dataDir, { name, words, options });
}

async function runHere(
  name: string,
  words: readonly string[],
  options: CommandOptions,
): Promise<string> {
  const service = await createService(process.env);
  try {
    const run = service.commands[name];
    if (!run) throw new UsageError(`no surface that is enabled knows ${name}`);
    service.speakForPort();
    await service.engines.store.open();
    return await run(words, options);
  } finally {
    await service.life.stop();
  }
}
