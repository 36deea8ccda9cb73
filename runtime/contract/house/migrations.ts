/** How a column is kept, in words that both databases understand. */
export interface StoredColumn {
  readonly type: 'text' | 'integer' | 'bytes';
  readonly nullable?: true;
  /** What rows have that were there before the column. */
  readonly default?: string | number;
}

/** One change of the tables. */
export type MigrationStep =
  | {
      readonly create: string;
      readonly columns: Readonly<Record<string, StoredColumn>>;
      readonly key: readonly string[];
    }
  | { readonly add: string; readonly to: string; readonly column: StoredColumn }
  | {
      readonly index: string;
      readonly on: string;
      readonly columns: readonly string[];
      readonly unique?: true;
    };

/** Changes that are made together, once. */
export interface StoredMigration {
  /** Who has the tables, and which of its migrations this is: `identity/1`. */
  readonly name: string;
  readonly steps: readonly MigrationStep[];
}

/** A migration that a database has been through. */
export interface MigrationRow {
  readonly name: string;
  readonly applied_at: number;
}
