import type { QueryResult, RawBuilder } from 'kysely';

/** Statements of one transaction; each is answered with its rows before the next one comes. */
export type Statements<Result> = Generator<RawBuilder<unknown>, Result, QueryResult<unknown>>;

/**
 * A function that a module exports and that is the work of a whole transaction: of its argument it
 * makes statements and a result, all of them plain data. It has nothing else, so SQLite can run it
 * within the thread of the database: one message there and one back, whatever number of statements.
 */
export interface Procedure<Argument, Result> {
  /** URL of the module. */
  readonly module: string;
  /** Of the function in it. */
  readonly name: string;
  /** Nothing has it: it only says of which types the two are. */
  readonly types?: (argument: Argument) => Result;
}

/** What a procedure is in its module; the two databases may need other words. */
export type ProcedureFunction<Argument, Result> = (
  argument: Argument,
  engine: 'sqlite' | 'postgres',
) => Statements<Result>;

/**
 * When a procedure counts as done: when it is on the disk (`flushed`), or when all who ask see it
 * (`seen`), which a loss of power may undo. What is flushed later is so together with all before it.
 */
export type Durability = 'flushed' | 'seen';

/** A store that runs procedures. Each statement sees what others have committed before it. */
export interface ProcedureStore {
  run<Argument, Result>(
    procedure: Procedure<Argument, Result>,
    argument: Argument,
    durability?: Durability,
  ): Promise<Result>;
}

/** Ask for the rows of a statement, within a procedure. */
export function* rowsOf<Row>(
  query: RawBuilder<Row>,
): Generator<RawBuilder<unknown>, readonly Row[], QueryResult<unknown>> {
  const { rows } = yield query;
  // The columns that the statement names.
  return rows as Row[];
}

/** Change something, within a procedure; gives how many rows. */
export function* changed(
  query: RawBuilder<unknown>,
): Generator<RawBuilder<unknown>, number, QueryResult<unknown>> {
  const { numAffectedRows } = yield query;
  return Number(numAffectedRows ?? 0n);
}

/** The procedure that a function is. */
type ProcedureOf<Exported> =
  Exported extends ProcedureFunction<infer Argument, infer Result>
    ? Procedure<Argument, Result>
    : never;

/** Name the procedures of a module. */
export function proceduresOf<Module>(module: URL) {
  return <Name extends keyof Module & string>(name: Name) =>
    // Its types come from the module itself.
    ({ module: module.href, name }) as unknown as ProcedureOf<Module[Name]>;
}
