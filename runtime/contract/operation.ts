import type { CallContext } from './caller.ts';
import type { JsonSchema } from './json.ts';

/** Who may use an operation: anybody, or a caller that holds all of these scopes. */
export type Access = 'public' | readonly string[];

/**
 * How often an operation may be used: by each caller, from each address, by each client, or at each
 * path. Callers without a name count by their address, but at a path, so that no stranger uses up
 * what all share; where nobody can guess the path, guesses use up nothing but what they guess.
 */
export interface OperationLimit {
  readonly requests: number;
  readonly perMs: number;
  /** `caller` when absent. */
  readonly by?: 'address' | 'client' | 'path';
}

/** What one use of an operation costs. */
export interface Price {
  /** A decimal number. */
  readonly amount: string;
  readonly currency: string;
  readonly rails?: readonly string[];
}

/**
 * What is written to the audit log: `outcome` after a call, without waiting for the disk; `intent`
 * also before it, and without that entry on disk the call does not run.
 */
export type OperationAudit = 'outcome' | 'intent';

/** What an operation demands of a call (specs/schemas/operation.schema.json). */
export interface OperationDemands {
  readonly access: Access;
  readonly limit?: OperationLimit;
  readonly price?: Price;
  /** A call may, or must, bring a key with which it is not done twice. */
  readonly idempotency?: 'optional' | 'required';
  /** How a person has to agree before the operation runs. */
  readonly confirm?: 'elicitation' | 'token';
  readonly audit?: OperationAudit;
  /** It may, or must, go on after the request was answered (MCP, Tasks extension). */
  readonly task?: 'optional' | 'required';
}

/** What admission needs to know of a route or a tool; both have the same shape. */
export interface Operation extends OperationDemands {
  readonly name: string;
  /** For people who have to agree to it. */
  readonly title?: string;
  readonly description?: string;
  readonly input?: JsonSchema;
  /** Asks what has to be asked before the work begins. */
  readonly ask?: (input: Readonly<Record<string, unknown>>, context: CallContext) => Promise<void>;
}
