import { isObject, type JsonSchema } from '#contract/json';
import { digitsText, LongNumber } from '#contract/request';
import { itemSchemas, memberSchemas, type Node, nodesOf, saysAll } from './schema-places.ts';

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
      return [[name, this.#members(value, nodesOf(this.#root, [schema]), true)] as const];
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
      if (nodesOf(this.#root, [one]).some((node) => formatOf(node) !== undefined)) return true;
      queue.push(...this.#inner(one));
    }
    return false;
  }

  #inner(schema: unknown): unknown[] {
    return nodesOf(this.#root, [schema]).flatMap((node) => [
      ...(isObject(node['properties']) ? Object.values(node['properties']) : []),
      ...(isObject(node['patternProperties']) ? Object.values(node['patternProperties']) : []),
      ...[node['additionalProperties'], node['items']].filter(isObject),
      ...(Array.isArray(node['prefixItems']) ? node['prefixItems'] : []),
    ]);
  }

  #value(value: unknown, schemas: readonly unknown[]): unknown {
    if (schemas.length === 0) return value;
    const nodes = nodesOf(this.#root, schemas);
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
}

/** Of which format the long numbers are whose digits a place takes as text; nothing where it takes none. */
export function formatOf({ type, pattern }: Node): 'int64' | 'uint64' | undefined {
  const types: readonly unknown[] = [type].flat();
  if (!types.includes('integer') || !types.includes('string')) return undefined;
  const [, last] = digitsPattern.exec(String(pattern)) ?? [];
  if (last === undefined) return undefined;
  return last === '8' ? 'int64' : 'uint64';
}
