import { isObject } from '#contract/json';
import { Schemas } from '../../verdict/schemas.ts';
import { bodyOf, followed } from './closed-parts.ts';

type Node = Readonly<Record<string, unknown>>;

/**
 * Whether alternatives of one `oneOf` at a place in the body of an operation each take the value that
 * stands there, which is then of none of them: the document says so, and nothing can be sent instead
 * where one alternative allows what another describes.
 *
 * @param root holds all that is referred to
 * @param steps names of members and indexes of items
 */
export function areSeveralTaking(
  operation: Node,
  root: Node,
  steps: readonly string[],
  body: unknown,
): boolean {
  const value = steps.reduce<unknown>(memberOf, body);
  const { components, definitions } = root;
  const schemas = new Schemas();
  const takes = (schema: unknown) =>
    isObject(schema) &&
    schemas.compile({ ...schema, components, definitions })(value) === undefined;
  return bodyOf(operation, root)
    .flatMap(schemasOf)
    .flatMap((schema) => schemasAt(schema, steps, root))
    .map((schema) => (Array.isArray(schema['oneOf']) ? schema['oneOf'] : []))
    .some((alternatives: readonly unknown[]) => alternatives.filter(takes).length > 1);
}

function memberOf(holder: unknown, step: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Node)[step] : undefined;
}

function schemasOf(body: unknown): readonly unknown[] {
  if (!isObject(body)) return [];
  const types = isObject(body['content']) ? Object.values(body['content']) : [];
  return [body['schema'], ...types.map((type) => (isObject(type) ? type['schema'] : undefined))];
}

const longestWay = 40;

/** The schemas that describe a place, over references, parts and alternatives. */
function schemasAt(
  schema: unknown,
  steps: readonly string[],
  root: Node,
  way: readonly unknown[] = [],
): readonly Node[] {
  const node = followed(schema, root);
  if (!isObject(node) || way.includes(node) || way.length > longestWay) return [];
  const on = (inner: unknown, rest: readonly string[], seen: readonly unknown[]) =>
    schemasAt(inner, rest, root, seen);
  const beside = [node['allOf'], node['oneOf'], node['anyOf']]
    .flatMap((listed): readonly unknown[] => (Array.isArray(listed) ? listed : []))
    .flatMap((each) => on(each, steps, [...way, node]));
  const [step, ...rest] = steps;
  if (step === undefined) return [node, ...beside];
  const { properties, items } = node;
  const member = isObject(properties) ? properties[step] : undefined;
  return [...beside, ...on(member ?? (/^\d+$/.test(step) ? items : undefined), rest, [])];
}
