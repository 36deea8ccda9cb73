import { isObject, type JsonSchema } from '#contract/json';
import { keywords } from '#contract/schema/keywords';
import { withSubschemas } from '#contract/schema/subschemas';

type Node = Readonly<Record<string, unknown>>;

/** What keywords speak of that say something about values of a type. */
const kinds: ReadonlyMap<unknown, string> = new Map([
  ['integer', 'number'],
  ...['number', 'string', 'array', 'object', 'boolean', 'null'].map(
    (type) => [type, type] as const,
  ),
]);

const choices = ['anyOf', 'oneOf'];

/**
 * The same schema with each choice among types as a list of types: `anyOf` of a text and null, as
 * programs write it, is a text or null. A choice stays where one member's words or rules would come
 * to stand for another, or beside those of the choice.
 */
export function joinedTypes(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  return choices.some((keyword) => text.includes(`"${keyword}":`)) ? joinedIn(schema) : schema;
}

function joinedIn(schema: Node): JsonSchema {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      withSubschemas(keyword, value, (part) => (isObject(part) ? joinedIn(part) : part)),
    ]),
  );
  return choices.reduce(joinedChoice, inner);
}

function joinedChoice(schema: Node, keyword: string): Node {
  const { [keyword]: members, ...beside } = schema;
  if (!Array.isArray(members) || !Object.keys(beside).every(isWord)) return schema;
  const joined = joinedMembers(members);
  if (!joined || Object.keys(joined).some((each) => each in beside)) return schema;
  const { type, enum: values, ...rules } = joined;
  return { type, ...(values !== undefined && { enum: values }), ...beside, ...rules };
}

/** One schema for several that each take values of one type, by rules that are of that type alone. */
function joinedMembers(members: readonly unknown[]): Node | undefined {
  const types: unknown[] = [];
  const told = new Set<unknown>();
  let all: Node = {};
  for (const member of members) {
    if (!isObject(member)) return undefined;
    const { type, ...rules } = member;
    const kind = kinds.get(type);
    if (kind === undefined || told.has(kind)) return undefined;
    if (!Object.keys(rules).every((keyword) => isOfType(keyword, kind))) return undefined;
    types.push(type);
    told.add(kind);
    all = { ...all, ...rules };
  }
  // Words and values hold for all types: they may stand beside null alone.
  const isShared = Object.keys(all).some((keyword) => isWord(keyword) || keyword === 'enum');
  if (types.length < 2 || (isShared && (types.length > 2 || !told.has('null')))) return undefined;
  const { enum: values } = all;
  return { ...all, type: types, ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** Whether a keyword says nothing of values of other types, but for null. */
function isOfType(keyword: string, kind: string): boolean {
  if (kind === 'null') return false;
  return keywords.get(keyword)?.about === kind || isWord(keyword) || keyword === 'enum';
}

function isWord(keyword: string): boolean {
  return keywords.get(keyword)?.about === 'reader';
}
