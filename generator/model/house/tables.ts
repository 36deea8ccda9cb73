import type { MigrationStep, StoredColumn, StoredMigration } from '#contract/house/migrations';
import { pascalCase } from '../texts/names.ts';

/** The tables of one file, and the migrations that have led to them so far. */
export interface TablesModel {
  /** The surface that has them; empty where it is the server itself. */
  readonly surface: string;
  readonly tables: readonly TableModel[];
  /** Those of the lock file, and one more where something is new. */
  readonly migrations: readonly StoredMigration[];
}

export interface TableModel {
  readonly name: string;
  /** Name of the type of its rows. */
  readonly rowType: string;
  readonly description: string;
  readonly key: readonly string[];
  readonly columns: readonly ColumnModel[];
  readonly indexes: readonly IndexModel[];
}

export interface IndexModel {
  readonly step: Extract<MigrationStep, { index: string }>;
  /** JSON pointer to its list of columns. */
  readonly pointer: string;
}

export interface ColumnModel {
  readonly name: string;
  readonly type: ColumnType;
  readonly stored: StoredColumn;
  readonly description?: string;
  /** The texts that may stand in it. */
  readonly values?: readonly string[];
}

export type ColumnType = 'text' | 'ulid' | 'json' | 'int' | 'time' | 'bool' | 'bytes';

/** A `tables.yaml` that its JSON Schema accepts. */
export type TablesFile = Readonly<Record<string, RawTable>>;

interface RawTable {
  readonly description: string;
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnType | RawColumn>>;
  readonly index?: readonly (readonly string[] | RawIndex)[];
}

interface RawColumn {
  readonly type: ColumnType;
  readonly description?: string;
  readonly nullable?: true;
  readonly default?: string | number;
  readonly values?: readonly string[];
}

interface RawIndex {
  readonly name?: string;
  readonly columns: readonly string[];
  readonly unique?: true;
}

const storedAs: Readonly<Record<ColumnType, StoredColumn['type']>> = {
  text: 'text',
  ulid: 'text',
  json: 'text',
  int: 'integer',
  time: 'integer',
  bool: 'integer',
  bytes: 'bytes',
};

/** Read the tables out of their file. */
export function planTables(file: TablesFile): TableModel[] {
  return Object.entries(file).map(([name, { description, key, columns, index = [] }]) => ({
    name,
    rowType: `${pascalCase(name)}Row`,
    description,
    key,
    columns: [
      { name: 'tenant', type: 'text' as const, stored: { type: 'text' as const } },
      ...Object.entries(columns).map(([column, raw]) => planColumn(column, raw)),
    ],
    indexes: index.map((raw, at) => planIndex(name, raw, `/${name}/index/${at}`)),
  }));
}

function planColumn(name: string, raw: ColumnType | RawColumn): ColumnModel {
  const { type, description, values, ...rest } = typeof raw === 'string' ? { type: raw } : raw;
  return {
    name,
    type,
    stored: { type: storedAs[type], ...rest },
    ...(description !== undefined && { description }),
    ...(values && { values }),
  };
}

function planIndex(table: string, raw: readonly string[] | RawIndex, at: string): IndexModel {
  const isNamed = 'columns' in raw;
  const { columns, name = columns.join('_'), unique }: RawIndex = isNamed ? raw : { columns: raw };
  const step = { index: `${table}_${name}`, on: table, columns, ...(unique && { unique }) };
  return { step, pointer: isNamed ? `${at}/columns` : at };
}
