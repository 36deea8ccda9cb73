import type { Arrival } from '../arrival.ts';
import type { CallContext, Caller } from '../caller.ts';
import type { ServiceError } from '../errors.ts';
import type { Operation } from '../operation.ts';
import type { GuardWatch } from '../telemetry/guard.ts';

/** What an operation is called with, before and after validation. */
export type Input = Readonly<Record<string, unknown>>;

/** An operation that can be run: a handler, or a handler with steps in front of it. */
export type Run<Result> = (input: Input, context: CallContext) => Promise<Result>;

/**
 * One stage of admission. It wraps what comes after it, or gives `next` back where the operation
 * does not need it: a step that an operation does not use is not there when the operation runs.
 */
export type Step = <Result>(operation: Operation, next: Run<Result>) => Run<Result>;

/** Finds out which scopes are needed. */
export type Needs = () => readonly string[] | undefined;

/**
 * Say who is calling; at once wherever that can be known at once. `needs` gives the scopes that are
 * needed for what is asked, for whoever is told how to get them: most are not.
 *
 * @throws ServiceError with status 401 where it is nobody who is known here
 */
export type Authenticate = (arrival: Arrival, needs?: Needs) => Caller | Promise<Caller>;

/** A caller that lacks scopes, and what it has asked for. */
export interface Refused {
  readonly caller: Caller;
  readonly arrival: Arrival | undefined;
  /** Name of the operation. */
  readonly operation: string;
  readonly needs: readonly string[];
}

/** Make the error for it: 401 for nobody in particular, else 403. */
export type Refuse = (refused: Refused) => ServiceError;

/** What a surface can add to the one way in; each of them comes from one surface at most. */
export interface AdmissionParts {
  /** Nothing where an arrival shows nothing of itself: then the house says who that is. */
  readonly authenticate?: (
    ...asked: Parameters<Authenticate>
  ) => ReturnType<Authenticate> | undefined;
  /** What a caller hears that lacks some of the scopes that an operation needs. */
  readonly refuse?: Refuse;
  /** Scopes that a person could still give to a caller; the same set each time for whom it is the same. */
  readonly grantable?: (caller: Caller) => ReadonlySet<string>;
  /** Is told who was let through, and who was not. */
  readonly guard?: GuardWatch;
  /** Let operations that have a price run only when it is paid. */
  readonly payment?: Step;
}
