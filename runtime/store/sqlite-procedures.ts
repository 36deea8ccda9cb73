import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { Durability, ProcedureFunction } from '#contract/house/procedures';
import { queryBuilder } from './query-builder.ts';
import { sqliteCompiler } from './sqlite-compiler.ts';

/** What a procedure is asked for. */
interface Run {
  readonly procedure: { readonly module: string; readonly name: string };
  readonly argument: unknown;
  readonly durability: Durability;
}

type Execute = (
  sql: string,
  parameters: readonly unknown[],
) => { readonly rows: unknown[]; readonly changes: number };

type Module = Readonly<Record<string, ProcedureFunction<unknown, unknown>>>;

const modules = new Map<string, Module>();
let compiler: Kysely<unknown> | undefined;

/** Load a module of procedures; nothing to wait for where it is there. */
export function loadProcedure(module: string): Promise<unknown> | undefined {
  if (modules.has(module)) return undefined;
  // Procedures build queries, and many of them name the builder, which is faster to load by itself.
  queryBuilder();
  return import(module).then((loaded: Module) => modules.set(module, loaded));
}

/**
 * Run a procedure of a module that is loaded, as one transaction.
 *
 * @throws what SQLite throws; nothing of it is done then
 */
export function runProcedure(
  database: DatabaseSync,
  execute: Execute,
  { procedure: { module, name }, argument, durability }: Run,
): unknown {
  const procedure = modules.get(module)?.[name];
  if (procedure === undefined) throw new Error(`${module} has no procedure ${name}`);
  compiler ??= sqliteCompiler();
  // In the log of SQLite, what is flushed later is so together with everything before it. Never as a
  // statement that is kept: SQLite does this when it compiles it.
  if (durability === 'seen') database.exec('PRAGMA synchronous = NORMAL');
  try {
    execute('BEGIN IMMEDIATE', []);
    const statements = procedure(argument, 'sqlite');
    let step = statements.next();
    while (!step.done) {
      const { sql, parameters } = step.value.compile(compiler);
      const { rows, changes } = execute(sql, parameters);
      step = statements.next({ rows, numAffectedRows: BigInt(changes) });
    }
    execute('COMMIT', []);
    return step.value;
  } catch (error) {
    // SQLite itself rolls back when the disk is full or fails.
    if (database.isTransaction) execute('ROLLBACK', []);
    throw error;
  } finally {
    if (durability === 'seen') database.exec('PRAGMA synchronous = FULL');
  }
}
