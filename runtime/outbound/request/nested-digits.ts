import { isObject, type JsonSchema } from '#contract/json';
import { digitsText, LongNumber } from '#contract/request';
import { localTarget } from '#contract/schema/local-reference';
import { compilePattern } from '#contract/schema/pattern';

type Node = Readonly<Record<string, unknown>>;

/** How a place says that it takes the digits of a long number (generator/model/schema/long-integers.ts). */
const digitsPattern = /^\^(?:-\?)?\[1-9\]\\d\{15,1([89])\}\$$/;

/**
 * Finds long numbers inside of arguments by the schema of the tool: there they come as texts of their
 * digits, and only the schema tells them from texts. Those that are arguments, or items of one, the
 * request builder writes itself.
 */
export class NestedDigits {
  readonly #root: JsonSchema;
  readonly #names: readonly string[];

  constructor(input: JsonSchema) {
    this.#root = input;
    const { properties } = input;
    const named = isObject(properties) ? Object.entries(properties) : [];
    this.#names = named.flatMap(([name, schema]) => (this.#leadsTo(schema) ? name : []));
  }

  /**
   * The arguments with these digits as numbers.
   *
   * @throws ToolError `invalid_arguments` for a number that has been rounded, or is beyond its format
   */
  exact(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const found = this.#names.flatMap((name) => {
      const value = args[name];
      if (typeof value !== 'object' || value === null) return [];
      const { properties } = this.#root;
      const schema = isObject(properties) ? properties[name] : undefined;
      return [[name, this.#members(value, this.#nodes([schema]), true)] as const];
    });
    return found.length === 0 ? args : { ...args, ...Object.fromEntries(found) };
  }

  /** Whether digits can stand deeper in a value than the builder looks. */
  #leadsTo(schema: unknown): boolean {
    const seen = new Set<unknown>();
    const queue = this.#inner(schema);
    // Items of an argument are written by the builder, their members are not.
    for (const item of isObject(schema) ? [schema['items']] : []) queue.push(...this.#inner(item));
    for (const one of queue) {
      if (seen.has(one)) continue;
      seen.add(one);
      if (this.#nodes([one]).some((node) => formatOf(node) !== undefined)) return true;
      queue.push(...this.#inner(one));
    }
    return false;
  }

  #inner(schema: unknown): unknown[] {
    return this.#nodes([schema]).flatMap((node) => [
      ...(isObject(node['properties']) ? Object.values(node['properties']) : []),
      ...(isObject(node['patternProperties']) ? Object.values(node['patternProperties']) : []),
      ...[node['additionalProperties'], node['items']].filter(isObject),
      ...(Array.isArray(node['prefixItems']) ? node['prefixItems'] : []),
    ]);
  }

  #value(value: unknown, schemas: readonly unknown[]): unknown {
    if (schemas.length === 0) return value;
    const nodes = this.#nodes(schemas);
    if (typeof value === 'object' && value !== null) return this.#members(value, nodes, false);
    const formats = nodes.filter(saysAll).map(formatOf);
    const [format] = formats;
    // Where any of them takes other texts, it may be one.
    if (format === undefined || formats.includes(undefined)) return value;
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    const checked = digitsText(value, format);
    return typeof checked === 'string' ? new LongNumber(checked) : checked;
  }

  #members(value: object, nodes: readonly Node[], isArgument: boolean): unknown {
    if (!Array.isArray(value)) {
      const entries = Object.entries(value);
      return Object.fromEntries(
        entries.map(([name, member]) => [name, this.#value(member, memberSchemas(nodes, name))]),
      );
    }
    return value.map((item: unknown, index) => {
      if (isArgument && (typeof item !== 'object' || item === null)) return item;
      return this.#value(item, itemSchemas(nodes, index));
    });
  }

  /** The schemas that hold for one value: what they refer to, and their alternatives. */
  #nodes(schemas: readonly unknown[]): readonly Node[] {
    const nodes = new Set<Node>();
    const queue = [...schemas];
    for (const schema of queue) {
      if (!isObject(schema) || nodes.has(schema)) continue;
      nodes.add(schema);
      if (schema['$ref'] !== undefined) queue.push(localTarget(this.#root, schema['$ref']));
      for (const keyword of ['allOf', 'anyOf', 'oneOf', 'then', 'else']) {
        queue.push(...[schema[keyword] ?? []].flat());
      }
    }
    return [...nodes];
  }
}

/** Whether a schema says of what type its values are, and leaves that to no other. */
function saysAll({ $ref, type, allOf, anyOf, oneOf }: Node): boolean {
  return type !== undefined || [$ref, allOf, anyOf, oneOf].every((each) => each === undefined);
}

function formatOf({ type, pattern }: Node): 'int64' | 'uint64' | undefined {
  const types: readonly unknown[] = [type].flat();
  if (!types.includes('integer') || !types.includes('string')) return undefined;
  const [, last] = digitsPattern.exec(String(pattern)) ?? [];
  if (last === undefined) return undefined;
  return last === '8' ? 'int64' : 'uint64';
}

function memberSchemas(nodes: readonly Node[], name: string): readonly unknown[] {
  return nodes.flatMap(({ properties, patternProperties, additionalProperties }) => {
    const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
    const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
    const named = patterns.filter(([pattern]) => compilePattern(pattern).test(name));
    const told = [...own, ...named.map(([, schema]) => schema)];
    return told.length > 0 ? told : [additionalProperties].filter(isObject);
  });
}

function itemSchemas(nodes: readonly Node[], index: number): readonly unknown[] {
  return nodes.flatMap(({ prefixItems, items }) => {
    const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    return index < first.length ? [first[index]] : [items].filter(isObject);
  });
}
