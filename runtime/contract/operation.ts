import type { CallContext } from './caller.ts';
import type { JsonSchema } from './json.ts';

/** Who may use an operation: anybody, or a caller that holds all of these scopes. */
export type Access = 'public' | readonly string[];

/** How often one caller may use an operation. */
export interface OperationLimit {
  readonly requests: number;
  readonly perMs: number;
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

/** What admission needs to know of a route or a tool; both have the same shape. */
export interface Operation {
  readonly name: string;
  /** For people who have to agree to it. */
  readonly title?: string;
  readonly description?: string;
  readonly access: Access;
  readonly input?: JsonSchema;
  readonly limit?: OperationLimit;
  readonly price?: Price;
  /** How a person has to agree before the operation runs. */
  readonly confirm?: 'elicitation' | 'token';
  readonly audit?: OperationAudit;
  /** Asks what has to be asked before the work begins. */
  readonly ask?: (input: Readonly<Record<string, unknown>>, context: CallContext) => Promise<void>;
  /** May, or must, go on after the request was answered. */
  readonly task?: 'optional' | 'required';
}
