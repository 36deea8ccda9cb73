import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '#contract/errors';
import { NeedsCopy, openReadOnly } from '../process/read-only-database.ts';
import { StartError } from '../process/start-error.ts';
import { digestTables, type TableDigest } from './copy.ts';
import { explainFailure } from './failures.ts';
import { createStore, type StoreOptions } from './index.ts';
import { findDamage } from './soundness.ts';
import { databaseFile } from './sqlite-files.ts';

/** SQLSTATE: a table that every store has is not there. */
const undefinedTable = '42P01';

/** What a full check found. */
export interface CheckedStore {
  /** What was read without a failure; only where there is no file to be checked. */
  readonly tables: readonly TableDigest[];
  readonly problems: readonly string[];
}

/**
 * Check everything that is kept, also while a server runs: every page of the files, or every row that
 * PostgreSQL has.
 *
 * @throws StartError when there is nothing that could be checked
 */
export async function checkStore({ dataDir, databaseUrl }: StoreOptions): Promise<CheckedStore> {
  if (databaseUrl === undefined) return checkFile(join(dataDir, databaseFile));
  const store = createStore({ dataDir, databaseUrl });
  try {
    return { tables: await digestTables(store.db), problems: [] };
  } catch (error) {
    if (error instanceof ServiceError) throw new StartError(error.message, { cause: error });
    const { code } = error as { code?: string };
    if (code !== undefinedTable) throw error;
    throw new StartError('the database is not one of this server, or an older one: start it first');
  } finally {
    await store.close();
  }
}

function checkFile(path: string): CheckedStore {
  if (!existsSync(path)) throw new StartError(`there is no database ${path}`);
  try {
    using database = openReadOnly(path);
    return { tables: [], problems: findDamage(database) };
  } catch (error) {
    if (error instanceof NeedsCopy) throw new StartError(error.message, { cause: error });
    const explained = explainFailure(error);
    if (!(explained instanceof ServiceError)) throw error;
    return { tables: [], problems: [`${path}: ${explained.detail['reason']}`] };
  }
}
