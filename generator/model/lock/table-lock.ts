import type { MigrationStep, StoredColumn, StoredMigration } from '#contract/house/migrations';
import { comparableText, isObject } from '#contract/json';
import type { TableModel } from '../house/tables.ts';

/** Something of a table that is not as it was released. */
export interface TableProblem {
  /** JSON pointer into the file of the tables. */
  readonly pointer: string;
  readonly message: string;
}

/** What the migrations of a lock file have made. */
interface Released {
  readonly columns: Map<string, StoredColumn>;
  readonly key: readonly string[];
}

/** The migrations of a lock file; nothing where it is none. */
export function readTableLock(value: unknown): readonly StoredMigration[] | undefined {
  if (!isObject(value) || !isObject(value['migrations'])) return undefined;
  return Object.entries(value['migrations']).map(([name, steps]) => ({
    name,
    // Written by `printTableLock` alone.
    steps: steps as readonly MigrationStep[],
  }));
}

/** The text of a lock file. */
export function printTableLock(migrations: readonly StoredMigration[]): string {
  const all = Object.fromEntries(migrations.map(({ name, steps }) => [name, steps]));
  return `${JSON.stringify({ migrations: all }, null, 2)}\n`;
}

/**
 * Compare tables with what was released of them: what is new becomes the next migration, what has
 * changed is a problem, because databases have it as it was.
 */
export function nextMigrations(
  owner: string,
  tables: readonly TableModel[],
  released: readonly StoredMigration[],
): { readonly migrations: readonly StoredMigration[]; readonly problems: readonly TableProblem[] } {
  const steps = released.flatMap((migration) => migration.steps);
  const made = releasedTables(steps);
  const indexes = new Map(
    steps.flatMap((step) => ('index' in step ? [[step.index, step] as const] : [])),
  );
  const problems = [...made.keys()]
    .filter((name) => !tables.some((table) => table.name === name))
    .map((name) => ({ pointer: '', message: `the table ${name} was released and is gone` }));
  const added: MigrationStep[] = [];
  for (const table of tables) {
    const before = made.get(table.name);
    if (before) {
      problems.push(...changedColumns(table, before));
      added.push(...newColumns(table, before));
      problems.push(...withoutDefault(table, before));
    } else added.push(createStep(table));
    for (const { step, pointer } of table.indexes) {
      const known = indexes.get(step.index);
      if (known === undefined) added.push(step);
      else if (comparableText(known) !== comparableText(step)) {
        const message = `the index ${step.index} was released with other columns: ${known.columns.join(', ')}`;
        problems.push({ pointer, message });
      }
    }
  }
  const next = { name: `${owner}/${released.length + 1}`, steps: added };
  return { migrations: added.length === 0 ? released : [...released, next], problems };
}

function releasedTables(steps: readonly MigrationStep[]): Map<string, Released> {
  const tables = new Map<string, Released>();
  for (const step of steps) {
    if ('create' in step) {
      const columns = new Map(Object.entries(step.columns));
      tables.set(step.create, { columns, key: step.key });
    } else if ('add' in step) tables.get(step.to)?.columns.set(step.add, step.column);
  }
  return tables;
}

function createStep({ name, columns, key }: TableModel): MigrationStep {
  const stored = columns.map((column) => [column.name, column.stored] as const);
  return { create: name, columns: Object.fromEntries(stored), key };
}

function changedColumns({ name, columns, key }: TableModel, before: Released): TableProblem[] {
  const now = new Map(columns.map((column) => [column.name, column.stored]));
  const changed = [...before.columns].flatMap(([column, was]) => {
    const is = now.get(column);
    const pointer = is ? `/${name}/columns/${column}` : `/${name}/columns`;
    if (is === undefined) {
      return [{ pointer, message: `the column ${name}.${column} was released and is gone` }];
    }
    if (comparableText(is) === comparableText(was)) return [];
    const message = `the column ${name}.${column} was released as ${described(was)} and is ${described(is)} now`;
    return [{ pointer, message }];
  });
  if (key.join() === before.key.join()) return changed;
  const message = `the key of ${name} was released as ${before.key.join(', ')}`;
  return [...changed, { pointer: `/${name}/key`, message }];
}

function newColumns({ name, columns }: TableModel, before: Released): MigrationStep[] {
  return columns
    .filter((column) => !before.columns.has(column.name))
    .map((column) => ({ add: column.name, to: name, column: column.stored }));
}

function withoutDefault({ name, columns }: TableModel, before: Released): TableProblem[] {
  return columns
    .filter((column) => !before.columns.has(column.name))
    .filter(({ stored }) => !stored.nullable && stored.default === undefined)
    .map((column) => ({
      pointer: `/${name}/columns/${column.name}`,
      message: `${name}.${column.name} is new in a table that has rows: it needs a default, or nullable: true`,
    }));
}

function described({ type, nullable, default: value }: StoredColumn): string {
  const preset = value === undefined ? '' : ` (default ${JSON.stringify(value)})`;
  return `${nullable ? 'nullable ' : ''}${type}${preset}`;
}
