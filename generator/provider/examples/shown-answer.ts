import { isObject } from '#contract/json';

type Node = Readonly<Record<string, unknown>>;

/** How deep an example is looked into: where lists and their pages stand is no deeper. */
const deepest = 6;

/** What a schema may say without saying what is in an answer. */
const remarks = /^(?:type|title|description|examples?|nullable|x-.*)$/;

/**
 * What an answer looks like whose schema says nothing of what is in it: as its example has it. Programs
 * that record exchanges describe all of their answers so.
 */
export function shownAnswer(schema: Node, media: Node): Node | undefined {
  const { type = 'object' } = schema;
  const isBare = Object.keys(schema).every((key) => remarks.test(key) || isOpen(schema[key]));
  if (!isBare || (type !== 'object' && type !== 'array')) return undefined;
  const { examples } = media;
  const [named] = isObject(examples) ? Object.values(examples) : [];
  const example = media['example'] ?? (isObject(named) ? named['value'] : undefined);
  const shown = schemaOf(example ?? schema['example'], deepest);
  const isSame = schema['type'] === undefined || schema['type'] === shown['type'];
  const isStructured = shown['type'] === 'array' || shown['type'] === 'object';
  return isSame && isStructured ? shown : undefined;
}

/** `properties: {}`, `items: {}` and `additionalProperties: true` say nothing. */
function isOpen(value: unknown): boolean {
  return value === true || (isObject(value) && Object.keys(value).length === 0);
}

/** Nothing is demanded: what one answer has, another may lack. */
function schemaOf(value: unknown, levels: number): Node {
  if (levels === 0 || value === null || value === undefined) return {};
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0], levels - 1) };
  if (!isObject(value)) return { type: Number.isInteger(value) ? 'integer' : typeof value };
  const members = Object.entries(value).map(([name, member]) => [
    name,
    schemaOf(member, levels - 1),
  ]);
  return { type: 'object', properties: Object.fromEntries(members) };
}
