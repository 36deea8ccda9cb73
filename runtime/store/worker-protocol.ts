import type { Durability } from '#contract/house/procedures';

/** What the main thread asks of the thread that has the SQLite database. */
export type WorkerRequest =
  | { readonly id: number; readonly kind: 'open'; readonly directory: string }
  | {
      readonly id: number;
      readonly kind: 'execute';
      readonly sql: string;
      readonly parameters: readonly unknown[];
      /** The reader sees what is committed, the writer its own transaction too. */
      readonly connection: 'reader' | 'writer';
    }
  | {
      readonly id: number;
      readonly kind: 'run';
      readonly procedure: { readonly module: string; readonly name: string };
      readonly argument: unknown;
      readonly durability: Durability;
    }
  | {
      readonly id: number;
      readonly kind: 'make';
      /** What makes the tables, done as one transaction where there are none yet. */
      readonly statements: readonly Statement[];
    }
  | { readonly id: number; readonly kind: 'close' };

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Its answer; errors travel as data, because cloning them loses their codes. */
export type WorkerReply =
  | {
      readonly id: number;
      readonly kind: 'result';
      readonly rows: unknown[];
      readonly changes: number;
    }
  | { readonly id: number; readonly kind: 'failure'; readonly failure: WorkerFailure };

export interface WorkerFailure {
  readonly message: string;
  readonly code?: string | undefined;
  readonly errcode?: number | undefined;
  /** The process that has the data directory. */
  readonly pid?: number | undefined;
}
