import type { JsonSchema } from './json.ts';
import type { Price } from './tool.ts';

/** Who may use an operation: anybody, or a caller that holds all of these scopes. */
export type Access = 'public' | readonly string[];

/** How often one caller may use an operation. */
export interface OperationLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** What admission needs to know of a route or a tool; both have the same shape. */
export interface Operation {
  readonly name: string;
  readonly access: Access;
  readonly input?: JsonSchema;
  readonly limit?: OperationLimit;
  readonly price?: Price;
  /** How a person has to agree before the operation runs. */
  readonly confirm?: 'elicitation' | 'token';
}
