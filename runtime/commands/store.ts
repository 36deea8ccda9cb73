import { readFileSync } from 'node:fs';
import { closest } from 'fastest-levenshtein';
import { readConfig } from '../../generated/config.ts';
import { providers } from '../../generated/providers.ts';
import { StartError } from '../start-error.ts';
import { backUp, copyBetween, restore } from '../store/backup.ts';
import { readDatabaseUrl } from '../store/database-url.ts';
import type { StoreOptions } from '../store/index.ts';
import { type Command, exitCode, UsageError } from './command.ts';

const usage = 'store takes one of: backup FILE, restore FILE, copy --to URL';

/** Back up, restore or move everything that the server keeps. */
export const store: Command = async ([action, file, ...rest], { to }) => {
  if (rest.length > 0 || (to === undefined) === (action === 'copy')) throw new UsageError(usage);
  const options = storeOptions();
  if (action === 'copy' && file === undefined) return copy(options, to);
  if (file === undefined) throw new UsageError(usage);
  if (action === 'backup') await backUp(options, file).catch(explain);
  else if (action === 'restore') await restore(options, file).catch(explain);
  else throw new UsageError(usage);
  process.stdout.write(action === 'backup' ? `${file} is written\n` : `${file} is restored\n`);
  return exitCode.success;
};

async function copy(from: StoreOptions, to: string | undefined): Promise<number> {
  const databaseUrl = readDatabaseUrl(to, '--to');
  for (const { table, rows, hash } of await copyBetween(from, { ...from, databaseUrl })) {
    process.stdout.write(`${table}: ${rows} rows, sha256 ${hash}\n`);
  }
  process.stdout.write('everything has arrived as it was; set SERVICE_DATABASE_URL to use it\n');
  return exitCode.success;
}

function storeOptions(): StoreOptions {
  const readFile = (path: string) => readFileSync(path, 'utf8');
  const surroundings = { providers, readFile, nearest: closest };
  const { dataDir, databaseUrl } = readConfig(process.env, surroundings).config;
  return { dataDir, databaseUrl: readDatabaseUrl(databaseUrl) };
}

/** What the file system refuses is the operator's to put right. */
function explain(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  throw code?.startsWith('E') ? new StartError(message, { cause: error }) : error;
}
