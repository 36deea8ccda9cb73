import { isObject } from '#contract/json';
import { type Accepts, Schemas } from '../verdict/schemas.ts';
import type { Node } from './flat-schema.ts';

/** Says of the parts of a schema what they take. */
export interface Solver {
  /** The check of a part; nothing where it leaves no choice. */
  check(schema: unknown): Accepts | undefined;
  /** How many more values may be tried: choices inside of choices are many. */
  turns: number;
}

const mostTurns = 2000;
/** What a sample cannot see from the keywords of one place alone. */
const choices = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'dependentRequired', 'dependentSchemas'];

/** A solver for the parts of a schema whose `$defs` they refer to. */
export function solverOf(root: Node): Solver {
  const schemas = new Schemas();
  const known = new Map<unknown, Accepts | undefined>();
  const check = (schema: unknown): Accepts | undefined =>
    isObject(schema) && leavesChoice(root, schema)
      ? schemas.compile({ ...(root['$defs'] !== undefined && { $defs: root['$defs'] }), ...schema })
      : undefined;
  return {
    turns: mostTurns,
    check(schema) {
      if (!known.has(schema)) known.set(schema, check(schema));
      return known.get(schema);
    },
  };
}

/** Whether a schema, or what it refers to, has alternatives or conditions. */
function leavesChoice(root: Node, schema: Node, depth = 0): boolean {
  if (choices.some((keyword) => keyword in schema)) return true;
  const { $ref } = schema;
  const defs = root['$defs'];
  if (typeof $ref !== 'string' || !isObject(defs) || depth > 10) return false;
  const target = defs[$ref.slice('#/$defs/'.length)];
  return isObject(target) && leavesChoice(root, target, depth + 1);
}
