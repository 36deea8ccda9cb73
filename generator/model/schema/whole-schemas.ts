import { isObject, type JsonSchema } from '#contract/json';
import { withSubschemas } from '#contract/schema/subschemas';
import { schemaFault } from './schema-check.ts';
import { words } from './schema-hash.ts';
import { bytesOf } from './shorter-texts.ts';

/** What the whole schemas of one vendor take together, each definition once. */
export const mostWholeBytes = 524_288;

/** A definition without its words, and what it takes as JSON. */
interface Definition {
  readonly schema: JsonSchema;
  readonly bytes: number;
}

/**
 * The whole schemas of those tools of a vendor whose published ones had to be cut. Calls are held to
 * them, and nobody reads them: they have no words, and share their definitions.
 */
export class WholeSchemas {
  /** A definition is the same object for all tools that lead to it. */
  readonly #definitions = new WeakMap<JsonSchema, Definition>();
  readonly #kept = new Set<JsonSchema>();
  #bytes = 0;

  /**
   * A schema without its words, where there is room for it beside the others.
   *
   * @returns nothing where there is none, or where it is no schema
   */
  keep({ $defs, ...root }: JsonSchema): JsonSchema | undefined {
    const whole = bare(root);
    const definitions = Object.entries(isObject($defs) ? $defs : {}).flatMap(
      ([name, schema]): [string, Definition][] =>
        isObject(schema) ? [[name, this.#definitionOf(schema)]] : [],
    );
    const added = definitions.filter(([, { schema }]) => !this.#kept.has(schema));
    const bytes = added.reduce((sum, [, each]) => sum + each.bytes, this.#bytes + bytesOf(whole));
    if (bytes > mostWholeBytes) return undefined;
    if (schemaFault(withDefinitions(whole, added)) !== undefined) return undefined;
    this.#bytes = bytes;
    for (const [, { schema }] of added) this.#kept.add(schema);
    return withDefinitions(whole, definitions);
  }

  #definitionOf(given: JsonSchema): Definition {
    const known = this.#definitions.get(given);
    if (known !== undefined) return known;
    const schema = bare(given);
    const made = { schema, bytes: bytesOf(schema) };
    this.#definitions.set(given, made);
    return made;
  }
}

function withDefinitions(root: JsonSchema, named: readonly [string, Definition][]): JsonSchema {
  return { ...root, $defs: Object.fromEntries(named.map(([name, { schema }]) => [name, schema])) };
}

function bare(schema: JsonSchema): JsonSchema {
  const change = (inner: unknown) => (isObject(inner) ? bare(inner) : inner);
  const limits = Object.entries(schema).filter(([keyword]) => !words.has(keyword));
  return Object.fromEntries(
    limits.map(([keyword, value]) => [keyword, withSubschemas(keyword, value, change)]),
  );
}
