import { existsSync } from 'node:fs';
import { databasePath } from '../audit/log/database-path.ts';
import { readIdentity } from '../audit/sqlite/schema.ts';
import { verifyPath } from '../audit/verify/verify-files.ts';
import { NeedsCopy, openReadOnly } from '../process/read-only-database.ts';
import { StartError } from '../process/start-error.ts';
import { type CheckedStore, checkStore } from '../store/check.ts';
import type { StoreOptions } from '../store/index.ts';
import { findDamage } from '../store/soundness.ts';

/**
 * Check everything that is kept in files, the audit log included: every page, every row, and what the
 * log proves of its entries. Of a log in PostgreSQL only `audit verify` can say that.
 *
 * @throws StartError when there is nothing that could be checked
 */
export async function checkAll(options: StoreOptions): Promise<CheckedStore> {
  const store = await checkStore(options);
  if (options.databaseUrl !== undefined) return store;
  const path = databasePath(options.dataDir);
  if (!existsSync(path)) return store;
  return { ...store, problems: [...store.problems, ...problemsOfLog(path)] };
}

function problemsOfLog(path: string): readonly string[] {
  try {
    const damage = damageOf(path);
    const identity = readIdentity(path);
    if (identity === undefined) return damage;
    const vkeys = identity.keys.map(({ vkey }) => vkey).join('\n');
    const { issues } = verifyPath(path, vkeys);
    // A page that is gone shows in both; the entries say where.
    const found = issues.map(({ seq, reason, detail }) => `at ${seq}: ${reason} (${detail})`);
    return [...damage, ...found].map((text) => `audit log: ${text}`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (error instanceof NeedsCopy) throw new StartError(error.message, { cause: error });
    return [`audit log: ${(error as Error).message}`];
  }
}

function damageOf(path: string): readonly string[] {
  using database = openReadOnly(path);
  return findDamage(database);
}
