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

/** By what a price can be paid. */
export type Rail = 'x402' | 'mpp' | 'card';

/** What a card is charged. */
export interface CardPrice {
  /** A decimal number above zero. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** What is charged after the work, for what came of it. */
export interface Metered {
  /** A decimal number above zero, for each. */
  readonly amount: string;
  /** `kilobyte` of the answer, or a JSON Pointer to a list in it, whose items count (RFC 6901). */
  readonly each: string;
}

/** What one use of an operation costs. */
export interface Price {
  /** A decimal number above zero. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: 'USD';
  /** Best first; all that are set up when absent. */
  readonly rails?: readonly Rail[];
  /** In place of the amount, where it is paid by card. */
  readonly card?: CardPrice;
  /** What is charged of the amount, which is the most; all of it when absent. */
  readonly metered?: Metered;
  /** The money is only authorized before the work; absent where it is moved before it. */
  readonly flow?: 'authorize';
  /** Blocks after the one of a payment before it counts; none when absent. */
  readonly confirmations?: number;
  /** How long an authorization to pay is good for; 5 minutes when absent. */
  readonly maxTimeoutMs?: number;
  /** Who holds one of these scopes pays nothing. */
  readonly freeFor?: readonly string[];
  /** The money stays where it is when the work fails; absent where it goes back. */
  readonly refundOnError?: false;
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
  /**
   * A call with a key whose process has died is taken up by the next one with that key: the operation
   * itself does what it does once.
   */
  readonly resumes?: true;
  /** How a person has to agree before the operation runs. */
  readonly confirm?: 'elicitation' | 'token';
  readonly audit?: OperationAudit;
  /** It may, or must, go on after the request was answered (MCP, Tasks extension). */
  readonly task?: 'optional' | 'required';
}

/** Reads a schema of arguments that is too large for clients; nothing where the one they see is whole. */
export type WholeInput = () => Promise<JsonSchema | undefined>;

/** What admission needs to know of a route or a tool; both have the same shape. */
export interface Operation extends OperationDemands {
  readonly name: string;
  /** For people who have to agree to it. */
  readonly title?: string;
  readonly description?: string;
  readonly input?: JsonSchema;
  /** What arguments are held to in its place. */
  readonly wholeInput?: WholeInput;
  /** Asks what has to be asked before the work begins. */
  readonly ask?: (input: Readonly<Record<string, unknown>>, context: CallContext) => Promise<void>;
}
