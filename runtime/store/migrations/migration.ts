import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely';
import type { MigrationStep } from '#contract/house/migrations';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { queryBuilder } from '../query-builder.ts';

/** One step forward; there is none back. */
export interface Migration {
  readonly name: string;
  readonly up: (schema: SchemaEditor) => Promise<void>;
  /** What `up` does, where that is nothing else. */
  readonly steps?: readonly MigrationStep[];
}

type ColumnType = 'text' | 'integer' | RawBuilder<unknown>;

/** Changes tables in words that both databases understand. */
export interface SchemaEditor {
  readonly tx: Kysely<Tables>;
  /** Text in the order of its bytes, which is the same everywhere. */
  readonly text: ColumnType;
  readonly integer: ColumnType;
  readonly bytes: ColumnType;
  createTable(name: string): CreateTableBuilder<string>;
}

export function schemaEditor(tx: Kysely<Tables>, engine: Store['engine']): SchemaEditor {
  const { sql } = queryBuilder();
  const sqlite = engine === 'sqlite';
  return {
    tx,
    text: sqlite ? 'text' : sql`text collate "C"`,
    integer: sqlite ? 'integer' : sql`bigint`,
    bytes: sqlite ? sql`blob` : sql`bytea`,
    createTable(name) {
      const table = tx.schema.createTable(name);
      return sqlite ? table.modifyEnd(sql`strict`) : table;
    },
  };
}
