import type { Arrival } from '../arrival.ts';
import type { CallContext, Caller } from '../caller.ts';
import type { Operation } from '../operation.ts';

/** What an operation is called with, before and after validation. */
export type Input = Readonly<Record<string, unknown>>;

/** An operation that can be run: a handler, or a handler with steps in front of it. */
export type Run<Result> = (input: Input, context: CallContext) => Promise<Result>;

/**
 * One stage of admission. It wraps what comes after it, or gives `next` back where the operation
 * does not need it: a step that an operation does not use is not there when the operation runs.
 */
export type Step = <Result>(operation: Operation, next: Run<Result>) => Run<Result>;

/** What a surface can add to the one way in; each of them comes from one surface at most. */
export interface AdmissionParts {
  /**
   * Say who is calling; at once wherever that can be known at once.
   *
   * @throws ServiceError with status 401 where it is nobody who is known here
   */
  readonly authenticate?: (arrival: Arrival) => Caller | Promise<Caller>;
  /** Let operations that have a price run only when it is paid. */
  readonly payment?: Step;
}
