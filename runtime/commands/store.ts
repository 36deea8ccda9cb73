import { checkAll } from '../backup/check-all.ts';
import { copyAll } from '../backup/copy-all.ts';
import { backUp } from '../backup/create-backup.ts';
import type { KeptLog } from '../backup/kept-log.ts';
import { restore } from '../backup/restore-backup.ts';
import { readConfiguration } from '../process/configuration.ts';
import { StartError } from '../process/start-error.ts';
import { readDatabaseUrl } from '../store/database-url.ts';
import type { StoreOptions } from '../store/index.ts';
import { type Command, exitCode, UsageError } from './command.ts';
import { counted } from './counted.ts';

const usage = 'store takes one of: backup FOLDER, restore FOLDER, check, copy --to URL';

/** Back up, restore, check or move everything that the server keeps. */
export const store: Command = async ([action, folder, ...rest], { to }) => {
  if (rest.length > 0 || (to === undefined) === (action === 'copy')) throw new UsageError(usage);
  const options = storeOptions();
  if (action === 'copy' && folder === undefined) return copy(options, to);
  if (action === 'check' && folder === undefined) return check(options);
  if (folder === undefined) throw new UsageError(usage);
  if (action === 'backup') return backup(options, folder);
  if (action === 'restore') return putBack(options, folder);
  throw new UsageError(usage);
};

async function backup(options: StoreOptions, folder: string): Promise<number> {
  const log = await backUp(options, folder).catch(explain);
  print(`${folder} is written: the store${log ? ` and ${described(log)}` : ''}`);
  if (log) print('the signing key of the log is not in it: keep a copy of it elsewhere');
  return exitCode.success;
}

async function putBack(options: StoreOptions, folder: string): Promise<number> {
  const log = await restore(options, folder).catch(explain);
  const restored = log?.was === 'restored' ? ` and ${described(log)}` : '';
  print(`${folder} is restored: the store${restored}`);
  if (log?.was === 'kept') {
    print(`${described(log)} was there and stays: a write-once log is not turned back`);
  }
  if (log?.was === 'restored') {
    print('put its signing key back, as audit.key in the data directory or SERVICE_AUDIT_KEY');
  }
  return exitCode.success;
}

function described({ origin, size }: KeptLog): string {
  return `the audit log ${origin} with ${counted(size, 'entry', 'entries')}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function check(options: StoreOptions): Promise<number> {
  const { tables, problems } = await checkAll(options);
  for (const { table, rows, hash } of tables) {
    print(`${table}: ${counted(rows, 'row')}, sha256 ${hash}`);
  }
  for (const problem of problems) print(`problem: ${problem}`);
  print(problems.length === 0 ? 'the store is sound' : 'the store is damaged: restore a backup');
  return problems.length === 0 ? exitCode.success : exitCode.failure;
}

async function copy(from: StoreOptions, to: string | undefined): Promise<number> {
  const databaseUrl = readDatabaseUrl(to, '--to') ?? '';
  const { tables, log } = await copyAll(from, databaseUrl);
  for (const { table, rows, hash } of tables) {
    print(`${table}: ${counted(rows, 'row')}, sha256 ${hash}`);
  }
  if (log !== undefined) {
    const checkpoints = counted(log.checkpoints, 'checkpoint');
    print(`${described(log)} and ${checkpoints}: root ${log.root}, the same on both sides`);
    print('its signing key is not in the database: SERVICE_AUDIT_KEY, or audit.key as it is');
  }
  print('everything has arrived as it was; set SERVICE_DATABASE_URL to use it');
  return exitCode.success;
}

function storeOptions(): StoreOptions {
  const { dataDir, databaseUrl } = readConfiguration(process.env).config;
  return { dataDir, databaseUrl: readDatabaseUrl(databaseUrl) };
}

/** What the file system refuses is the operator's to put right. */
function explain(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  throw code?.startsWith('E') ? new StartError(message, { cause: error }) : error;
}
