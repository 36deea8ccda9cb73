import { isObject } from '#contract/json';
import { followed } from '../closed-parts.ts';

/**
 * Name the type of parameters whose choices are all numbers or all booleans, or whose alternatives are all
 * lists: a mock that is not told it compares them with the text of an address.
 *
 * @returns whether one had to be named
 */
export function nameChoices(node: unknown, root: unknown = node): boolean {
  if (typeof node !== 'object' || node === null) return false;
  let isNamed = false;
  for (const member of Object.values(node)) isNamed = nameChoices(member, root) || isNamed;
  const { in: place, schema } = node as { in?: unknown; schema?: unknown };
  if (typeof place !== 'string' || !isObject(schema) || schema['type'] !== undefined)
    return isNamed;
  const type = choiceType(schema['enum']) ?? alternativesType(schema, root);
  if (type === undefined) return isNamed;
  schema['type'] = type;
  return true;
}

function choiceType(choices: unknown): string | undefined {
  const [kind, ...others] = new Set(
    Array.isArray(choices) ? choices.map((each) => typeof each) : [],
  );
  return others.length === 0 && (kind === 'number' || kind === 'boolean') ? kind : undefined;
}

function alternativesType(schema: Record<string, unknown>, root: unknown): string | undefined {
  const alternatives: unknown = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(alternatives) || alternatives.length === 0) return undefined;
  const types = alternatives.map((each) => followed(each, root)).map(typeOf);
  return types.every((type) => type === 'array') ? 'array' : undefined;
}

function typeOf(schema: unknown): unknown {
  return isObject(schema) ? schema['type'] : undefined;
}
