import { isObject, type JsonSchema } from '#contract/json';
import { Definitions } from './definitions.ts';
import { type Expression, type FlatObject, flatten, listOf } from './flat-object.ts';
import { type Position, References } from './references.ts';
import { alternativesNote, described, rulesOf } from './rule-words.ts';
import {
  explicitNull,
  type Kind,
  optionalNode,
  type StrictNode,
  shownNode,
  unionNode,
} from './strict-node.ts';
import { textNode, wholeShape } from './text-node.ts';
import {
  type Decode,
  decodeMembersWith,
  decodeObjectWith,
  decodeText,
  type PropertyDecodes,
} from './written-arguments.ts';

/** A schema larger than this is shown as JSON text from there on. */
const mostNodes = 3000;

const scalarKinds: ReadonlyMap<unknown, Kind> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

/** A schema for OpenAI's strict mode, and how arguments in that form become exact ones. */
export interface StrictSchema {
  readonly schema: JsonSchema;
  readonly decode: Decode | undefined;
}

/**
 * Show a schema as strict mode takes it: every object closed and all of its properties required,
 * with null for what is left out, and JSON text for whatever strict mode has no schema for. Each
 * object that the exact schema takes can be written so, and is read back as it was.
 */
export function strictSchema(schema: JsonSchema): StrictSchema {
  return new StrictSchemas(schema).whole();
}

class StrictSchemas {
  readonly #references: References;
  readonly #definitions = new Definitions<StrictNode>();
  #nodes = 0;

  constructor(root: JsonSchema) {
    this.#references = new References(root);
  }

  whole(): StrictSchema {
    const { root, start } = this.#references;
    const flat = flatten(root, start, this.#references);
    const { schema, decode } = this.#members(flat, flat.closed ? undefined : restName(flat));
    const note = alternativesNote(root, (reference) => this.#references.follow(reference, start));
    const whole = described(schema, [root['description'], note]);
    const definitions = new Map<string, JsonSchema>();
    for (const [name, node] of this.#definitions.all) definitions.set(name, shownNode(node));
    const used = usedDefinitions(whole, definitions);
    return {
      schema: { ...whole, ...(used.length > 0 && { $defs: Object.fromEntries(used) }) },
      decode,
    };
  }

  #value(expression: Expression): StrictNode | undefined {
    switch (expression.kind) {
      case 'schema':
        return expression.schema === false
          ? undefined
          : this.#node(expression.schema, expression.at);
      case 'anything':
        return textNode({}, 'any value');
      case 'all': {
        // Whatever satisfies all of them satisfies this one; the exact schema decides in the end.
        const nodes = expression.of.map((each) => this.#value(each));
        return nodes.includes(undefined)
          ? undefined
          : (nodes.find((node) => !node?.isText) ?? nodes[0]);
      }
      case 'any': {
        const nodes = expression.of.flatMap((each) => this.#value(each) ?? []);
        return nodes.length === 0
          ? undefined
          : (unionNode(nodes) ?? textNode({}, 'any of several forms'));
      }
    }
  }

  #node(schema: unknown, at: Position): StrictNode {
    if (!isObject(schema)) return textNode({}, 'any value');
    const form = ++this.#nodes > mostNodes ? undefined : this.#form(schema, at);
    const node = form ?? textNode(wholeShape(schema, at, this.#references), 'a value');
    if (node.isText) return node;
    const texts = [schema['description'] ?? node.description, rulesOf(schema)];
    const description = texts.filter((part) => typeof part === 'string' && part !== '').join(' ');
    return { ...node, description };
  }

  /** Nothing where strict mode has no schema for it. */
  #form(schema: Record<string, unknown>, at: Position): StrictNode | undefined {
    const { type, properties } = schema;
    if (schema['$ref'] !== undefined) return this.#reference(schema['$ref'], at);
    if (schema['const'] !== undefined || schema['enum'] !== undefined) return valuesNode(schema);
    const members = [schema['anyOf'], schema['oneOf']].find(Array.isArray);
    const scalar = type === undefined ? undefined : scalarNode([type].flat());
    if (scalar) return scalar;
    if (members && !properties) return this.#union(members, type, at);
    if (Array.isArray(type) && type.length > 1) {
      return unionNode(scalarsFirst(type).map((each) => this.#node({ ...schema, ...each }, at)));
    }
    const only = Array.isArray(type) ? type[0] : type;
    if (only === undefined) return this.#combined(schema, at);
    if (only === 'object') return this.#object(flatten(schema, at, this.#references));
    return only === 'array' ? this.#array(schema, at) : undefined;
  }

  #reference(reference: unknown, at: Position): StrictNode | undefined {
    const target = this.#references.follow(reference, at);
    const made =
      target && this.#definitions.at(target.at, () => this.#node(target.schema, target.at));
    if (!made) return undefined;
    const { name, content } = made;
    return content.isText
      ? content
      : { ...content, description: undefined, schema: { $ref: `#/$defs/${name}` } };
  }

  #union(members: readonly unknown[], type: unknown, at: Position): StrictNode | undefined {
    const nodes = members.flatMap((member) => {
      if (member === false) return [];
      const isTyped = !isObject(member) || type === undefined || knowsType(member);
      return this.#node(isTyped ? member : { ...member, type }, at);
    });
    return nodes.length === 0 ? undefined : unionNode(nodes);
  }

  /** Of schemas that must all hold, one that strict mode has a form for says enough. */
  #combined(schema: Record<string, unknown>, at: Position): StrictNode | undefined {
    const { allOf, ...own } = schema;
    if (!Array.isArray(allOf)) return undefined;
    if (allOf.some((member) => this.#isObject(member, at))) {
      return this.#object(flatten(schema, at, this.#references));
    }
    const nodes = [...allOf, own].map((member) => this.#node(member, at));
    return nodes.find((node) => !node.isText);
  }

  #isObject(schema: unknown, at: Position): boolean {
    if (!isObject(schema)) return false;
    const target =
      schema['$ref'] === undefined ? undefined : this.#references.follow(schema['$ref'], at);
    return (
      schema['type'] === 'object' ||
      (target !== undefined && this.#isObject(target.schema, target.at))
    );
  }

  #array({ items, prefixItems }: Record<string, unknown>, at: Position): StrictNode | undefined {
    if (prefixItems !== undefined || !isObject(items)) return undefined;
    const member = this.#node(items, at);
    if (member.isText) return undefined;
    const decode = member.decode && decodeMembersWith(member.decode);
    return {
      schema: { type: 'array', items: shownNode(member) },
      kinds: new Set(['array']),
      decode,
    };
  }

  #object(flat: FlatObject): StrictNode | undefined {
    return flat.closed ? this.#members(flat, undefined) : undefined;
  }

  /** `rest` is the name of a property for all that is not listed, where it may be there. */
  #members({ properties, required }: FlatObject, rest: string | undefined): StrictNode {
    const shownProperties: [string, JsonSchema][] = [];
    const decodes = new Map<string, NonNullable<ReturnType<PropertyDecodes['get']>>>();
    const fixed = new Map<string, readonly unknown[]>();
    for (const [name, expression] of properties) {
      const node = this.#value(expression);
      if (!node) continue;
      const optional = !required.has(name);
      const property = optional ? optionalNode(nullable(node)) : node;
      shownProperties.push([name, marked(shownNode(property), expression)]);
      decodes.set(name, { optional, decode: property.decode });
      if (node.values && !optional) fixed.set(name, node.values);
    }
    if (rest !== undefined) shownProperties.push([rest, restSchema]);
    const names = shownProperties.map(([name]) => name);
    const decode = decodeObjectWith(decodes);
    return {
      schema: {
        type: 'object',
        properties: Object.fromEntries(shownProperties),
        required: names,
        additionalProperties: false,
      },
      kinds: new Set(['object']),
      decode: rest === undefined ? decode : decodeRest(rest, decode),
      objects: [{ names: new Set(names), fixed, decode }],
    };
  }
}

/** The definitions that a schema leads to: what has become text leads to none. */
function usedDefinitions(
  schema: JsonSchema,
  definitions: ReadonlyMap<string, JsonSchema>,
): [string, JsonSchema][] {
  const used = new Map<string, JsonSchema>();
  const queue: JsonSchema[] = [schema];
  for (const part of queue) {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
      const definition = definitions.get(name);
      if (!definition || used.has(name)) continue;
      used.set(name, definition);
      queue.push(definition);
    }
  }
  return [...used];
}

const restSchema: JsonSchema = {
  type: ['string', 'null'],
  description: 'JSON text of an object with all further arguments, null where there are none',
};

function restName({ properties }: FlatObject): string {
  let name = 'additional_arguments';
  while (properties.has(name)) name += '_';
  return name;
}

/** Put the further arguments back among the others. */
function decodeRest(name: string, decode: Decode | undefined): Decode {
  return (value, report) => {
    if (!isObject(value)) return value;
    const { [name]: written, ...listed } = value;
    const further = report.within(name, () => decodeText(written ?? {}, report));
    if (!isObject(further)) {
      report.within(name, () => report.add('must be the JSON text of an object'));
      return value;
    }
    const known = decode ? decode(listed, report) : listed;
    return Object.fromEntries([...Object.entries(further), ...Object.entries(known as object)]);
  };
}

/** Where an object could be taken for the mark of null, it is written as JSON text. */
function nullable(node: StrictNode): StrictNode {
  const isUnclear =
    node.kinds.has('null') && node.objects?.some(({ names }) => names.has(explicitNull));
  return isUnclear ? textNode({}, 'a value') : node;
}

/** Headers repeat an argument only where its form is as simple as the exact one. */
function marked(schema: JsonSchema, expression: Expression): JsonSchema {
  const exact =
    expression.kind === 'schema' && isObject(expression.schema) ? expression.schema : {};
  const { 'x-mcp-header': mark } = exact;
  return mark !== undefined && typeof schema['type'] === 'string'
    ? { ...schema, 'x-mcp-header': mark }
    : schema;
}

function knowsType(member: Record<string, unknown>): boolean {
  return ['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'].some(
    (keyword) => member[keyword] !== undefined,
  );
}

/** The types of a list, each alone, but the simple ones together. */
function scalarsFirst(types: readonly unknown[]): { type: unknown }[] {
  const simple = types.filter((type) => scalarKinds.has(type));
  const others = types.filter((type) => !scalarKinds.has(type));
  return [
    ...(simple.length > 0 ? [{ type: simple.length === 1 ? simple[0] : simple }] : []),
    ...others.map((type) => ({ type })),
  ];
}

function scalarNode(types: readonly unknown[]): StrictNode | undefined {
  const kinds = types.flatMap((type) => scalarKinds.get(type) ?? []);
  if (kinds.length !== types.length) return undefined;
  return { schema: { type: types.length === 1 ? types[0] : types }, kinds: new Set(kinds) };
}

/** A list of values that are no objects and no arrays. */
function valuesNode({
  const: constant,
  enum: listed,
  type,
}: Record<string, unknown>): StrictNode | undefined {
  const values = constant === undefined ? listOf(listed) : [constant];
  const types = new Set<string>();
  for (const value of values) {
    if (typeof value === 'object' && value !== null) return undefined;
    types.add(typeOf(value, type));
  }
  const node = values.length > 0 ? scalarNode([...types]) : undefined;
  return node && { ...node, schema: { ...node.schema, enum: [...values] }, values };
}

function typeOf(value: unknown, declared: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'number') return typeof value;
  return Number.isInteger(value) && declared !== 'number' ? 'integer' : 'number';
}
