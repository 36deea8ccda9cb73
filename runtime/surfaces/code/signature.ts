import { isObject, type JsonSchema } from '#contract/json';
import type { ToolDefinition } from '#contract/tool';

const mostLevels = 4;
const mostValues = 12;
const longestResult = 600;
const longestComment = 80;

/** How a script calls a tool, as TypeScript: `(args: { owner: string; state?: "open" }) => ...` */
export function signatureOf({ input, output }: ToolDefinition): string {
  const fields = objectType(input, { root: input, level: 0, comments: true });
  const args = fields === '{}' ? '' : `args: ${fields}`;
  const result = output ? resultType(output) : 'any';
  return `(${args}) => Promise<${result}>`;
}

interface Place {
  /** Where `#/$defs/...` leads. */
  readonly root: JsonSchema;
  readonly level: number;
  readonly comments: boolean;
}

/** Every field of a result may be absent or null: that need not be said of each. */
function resultType(output: JsonSchema): string {
  const text = typeOf(output, { root: output, level: 0, comments: false });
  if (text.length <= longestResult) return text;
  const short = typeOf(output, { root: output, level: mostLevels - 2, comments: false });
  return short.length <= longestResult ? short : 'any';
}

function typeOf(schema: unknown, place: Place): string {
  if (!isObject(schema)) return 'any';
  const { $ref, enum: values, const: only, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return referredType($ref, place);
  if (only !== undefined) return literal(only);
  if (Array.isArray(values)) return enumType(values);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices) && type === undefined) return union(choices, place);
  if (Array.isArray(allOf) && type === undefined && allOf.length === 1)
    return typeOf(allOf[0], place);
  const types = Array.isArray(type) ? type : [type];
  // A result that is null where something is missing is a matter of course; an argument is not.
  const told = place.comments ? types : types.filter((each) => each !== 'null');
  return [...new Set(told.map((each) => namedType(each, schema, place)))].join(' | ');
}

function namedType(type: unknown, schema: JsonSchema, place: Place): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayType(schema, place);
    case 'object':
      return objectType(schema, place);
    default:
      return isObject(schema['properties']) ? objectType(schema, place) : 'any';
  }
}

function arrayType({ items }: JsonSchema, place: Place): string {
  const type = typeOf(items, { ...place, level: place.level + 1 });
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})[]` : `${type}[]`;
}

function objectType(schema: JsonSchema, place: Place): string {
  const { properties, required, additionalProperties } = schema;
  if (!isObject(properties) || Object.keys(properties).length === 0) {
    return additionalProperties === false ? '{}' : 'Record<string, any>';
  }
  if (place.level >= mostLevels) return 'object';
  const needed = new Set(Array.isArray(required) ? required : []);
  const inner = { ...place, level: place.level + 1 };
  const fields = Object.entries(properties).map(([name, property]) => {
    const mark = needed.has(name) || !place.comments ? '' : '?';
    const note = place.comments && place.level === 0 ? commentOf(property) : '';
    return `${note}${keyOf(name)}${mark}: ${typeOf(property, inner)}`;
  });
  return `{ ${fields.join('; ')} }`;
}

function union(choices: readonly unknown[], place: Place): string {
  const types = choices.slice(0, mostValues).map((each) => typeOf(each, place));
  return [...new Set(types)].join(' | ');
}

function referredType(reference: string, place: Place): string {
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
  const { $defs } = place.root;
  if (name === undefined || !isObject($defs) || place.level >= mostLevels) return 'object';
  return typeOf($defs[name], { ...place, level: place.level + 1 });
}

function enumType(values: readonly unknown[]): string {
  const shown = values.slice(0, mostValues).map(literal);
  const others = new Set(values.slice(mostValues).map((value) => typeof value));
  return [...shown, ...others].join(' | ');
}

function literal(value: unknown): string {
  return JSON.stringify(value) ?? 'any';
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The first words of what an argument is for, where its name alone may not say it. */
function commentOf(property: unknown): string {
  const text = isObject(property) ? property['description'] : undefined;
  if (typeof text !== 'string' || text === '') return '';
  const safe = text.replaceAll('*/', '* /').replaceAll('\n', ' ');
  return `/* ${safe.length > longestComment ? `${safe.slice(0, longestComment)}...` : safe} */ `;
}
