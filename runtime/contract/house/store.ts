import type { Kysely, Transaction } from 'kysely';
import type { ApprovalState } from './approval.ts';

/**
 * Everything that must survive a restart, in SQLite or PostgreSQL. The queries are the same for
 * both: text, whole numbers (times in milliseconds, 0 and 1 for no and yes), bytes, JSON as text.
 * Failures of the database itself are a `ServiceError` with status 503.
 */
export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  /** Single statements; each is a transaction of its own. */
  readonly db: Kysely<Tables>;
  /**
   * Do several statements as one, as if nobody else used the database meanwhile.
   *
   * `work` uses the database through `tx` alone and does nothing that cannot be undone: it runs
   * again when PostgreSQL finds it in conflict with another one.
   */
  transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Whether the database answers now. */
  check(): Promise<boolean>;
}

/** The rows of each table. All but the list of migrations carry their tenant. */
export interface Tables {
  readonly approval: ApprovalRow;
  readonly job: JobRow;
  readonly task: TaskRow;
  readonly used_answer: UsedAnswerRow;
  readonly witnessed_log: WitnessedLogRow;
  readonly schema_migration: MigrationRow;
}

/** A job that waits, runs or has failed for good; one that is done has no row. */
export interface JobRow {
  readonly tenant: string;
  readonly name: string;
  /** Tells apart the jobs of one name; the same key again is the same job. */
  readonly key: string;
  readonly state: 'waiting' | 'running' | 'failed';
  /** JSON. */
  readonly payload: string;
  readonly run_at: number;
  /** How often it was started since it last succeeded. */
  readonly attempt: number;
  /** Fencing token: grows with each start, whoever starts it. */
  readonly token: number;
  /** The run that has it, unique for each start; empty while it waits. */
  readonly owner: string;
  /** Until when `owner` may run it, by the clock of the database. */
  readonly lease_until: number;
  readonly last_error: string;
}

/** Work that a client waits for without keeping a connection (MCP, Tasks extension). */
export interface TaskRow {
  readonly tenant: string;
  /** Known to its caller alone. */
  readonly id: string;
  readonly subject: string;
  readonly tool: string;
  readonly state: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly status_message: string;
  readonly created_at: number;
  readonly updated_at: number;
  /** From then on it is gone. */
  readonly expires_at: number;
  /** Grows by one with each change. */
  readonly version: number;
  readonly starts: number;
  /** JSON: what the client still has to answer. */
  readonly requests: string;
  /** JSON: what it has answered. */
  readonly answers: string;
  /** JSON: the result or the error; empty before the end. */
  readonly outcome: string;
  /** JSON: arguments, caller and client of the call; empty after the end. */
  readonly work: string;
}

/** A call that a person has to agree to. */
export interface ApprovalRow {
  readonly tenant: string;
  /** Unguessable; it stands in the address of the page. */
  readonly id: string;
  readonly subject: string;
  readonly client: string;
  readonly operation: string;
  /** What the page shows of the arguments; the arguments themselves are not kept. */
  readonly summary: string;
  /** Hash of caller, operation and arguments. */
  readonly digest: string;
  readonly state: ApprovalState;
  /** Id and round of the task that waits for it; empty where the call has to come again. */
  readonly task: string;
  /** The call that has used it. */
  readonly used_by: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** An answer of a client that counts only once (MCP, multi round-trip requests). */
export interface UsedAnswerRow {
  readonly tenant: string;
  /** Id of the sealed state that came with it. */
  readonly id: string;
  /** From then on the state itself is worth nothing. */
  readonly expires_at: number;
}

/** What was cosigned last of an audit log of another server. */
export interface WitnessedLogRow {
  readonly tenant: string;
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** The checkpoint with the signatures of its log and of this witness. */
  readonly note: string;
  readonly cosigned_at: number;
}

/** A migration that this database has been through. */
export interface MigrationRow {
  readonly version: number;
  readonly name: string;
  readonly applied_at: number;
}
