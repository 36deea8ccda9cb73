import { comparableText, isObject, type JsonSchema } from '#contract/json';
import { keywordsWhere } from '#contract/schema/keywords';
import { everySubschema, withSubschemas } from '#contract/schema/subschemas';
import { Definitions } from './definitions.ts';
import { type Expression, flatten, listOf } from './flat-object.ts';
import { type Position, References } from './references.ts';
import { alternativesNote, described } from './rule-words.ts';

/** Keywords that many clients do not take at the root of a schema. */
const combinations = new Set([
  ...['$ref', 'enum', 'const', 'unevaluatedProperties'],
  ...keywordsWhere(({ inPlace }) => inPlace === true),
]);

const conditions = ['if', 'then', 'else'];

/** Keywords that mean something only within the schema as it is. */
const identities = keywordsWhere(({ about }) => about === 'place').difference(
  new Set(['$ref', '$schema']),
);

/**
 * The same schema for clients that do not know all of JSON Schema: it refers only to its own
 * `$defs`, never in circles, and holds no booleans where a schema belongs. It may take more, never
 * less, and is the same object where nothing has to change.
 */
export function portableSchema(schema: JsonSchema): JsonSchema {
  return isPortable(schema) ? schema : new Portable(schema).whole();
}

/** The same without combinations at its root, as the model APIs demand; `properties` is always there. */
export function rootedSchema(schema: JsonSchema): JsonSchema {
  if (combinations.isDisjointFrom(new Set(Object.keys(schema)))) {
    const portable = portableSchema(schema);
    return isObject(portable['properties']) ? portable : { ...portable, properties: {} };
  }
  return new Portable(schema).rooted();
}

function isPortable(schema: JsonSchema): boolean {
  const text = JSON.stringify(schema);
  if (/"additionalProperties":\{\}|"\$dynamicRef":/.test(text)) return false;
  // Most schemas refer to nothing, and a start asks this of all.
  const isCut = text.includes('"$ref":') && new References(schema).isCut(schema);
  return !isCut && isPlain(schema);
}

/** Whether there is no boolean in the place of a property's schema, and no reference but to `$defs`. */
function isPlain(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { $ref } = schema;
  if (typeof $ref === 'string' && !/^#\/\$defs\/[^/]+$/.test($ref)) return false;
  return everySubschema(
    schema,
    (inner, key) => (typeof key !== 'string' || isObject(inner)) && isPlain(inner),
  );
}

class Portable {
  readonly #references: References;
  readonly #definitions = new Definitions<JsonSchema>();

  constructor(root: JsonSchema) {
    this.#references = new References(root);
  }

  whole(): JsonSchema {
    const { root, start } = this.#references;
    return this.#withDefinitions(this.#object(root, start));
  }

  rooted(): JsonSchema {
    const { root, start } = this.#references;
    const own = Object.entries(root).filter(([keyword]) => !combinations.has(keyword));
    const { properties, required, closed } = flatten(root, start, this.#references);
    const { additionalProperties, ...rest } = this.#object(Object.fromEntries(own), start);
    const note = alternativesNote(root, (reference) => this.#references.follow(reference, start));
    const shown = [...properties].map(([name, value]) => [name, withoutMarks(this.#value(value))]);
    return this.#withDefinitions({
      ...described(rest, [rest['description'], note]),
      type: 'object',
      properties: Object.fromEntries(shown),
      ...(required.size > 0 && { required: [...required] }),
      ...(closed
        ? { additionalProperties: false }
        : additionalProperties !== undefined && { additionalProperties }),
    });
  }

  #withDefinitions(schema: JsonSchema): JsonSchema {
    const { all } = this.#definitions;
    return all.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(all) };
  }

  #value(expression: Expression): JsonSchema {
    switch (expression.kind) {
      case 'schema':
        return this.#schema(expression.schema, expression.at);
      case 'anything':
        return {};
      case 'all':
      case 'any': {
        const members = expression.of.map((each) => this.#value(each));
        const different = [
          ...new Map(members.map((each) => [comparableText(each), each])).values(),
        ];
        const [only] = different;
        if (different.length === 1 && only) return only;
        return { [expression.kind === 'all' ? 'allOf' : 'anyOf']: different };
      }
    }
  }

  #schema(schema: unknown, at: Position): JsonSchema {
    if (schema === false) return { not: {} };
    return isObject(schema) ? this.#object(schema, at) : {};
  }

  #object(schema: Record<string, unknown>, at: Position): JsonSchema {
    const entries: [string, unknown][] = [];
    for (const [keyword, value] of Object.entries(this.#weakened(schema))) {
      if (identities.has(keyword) || (keyword === 'description' && isRepeated(at))) continue;
      if (keyword !== '$ref') entries.push([keyword, this.#keyword(keyword, value, at)]);
      else entries.push(...this.#reference(schema, at));
    }
    return Object.fromEntries(entries);
  }

  #keyword(keyword: string, value: unknown, at: Position): unknown {
    if (typeof value === 'boolean') return value;
    const changed = withSubschemas(keyword, value, (each) => this.#schema(each, at));
    // Clients refuse the empty schema here, which means the same.
    const isEmpty =
      keyword === 'additionalProperties' && isObject(changed) && Object.keys(changed).length === 0;
    return isEmpty ? true : changed;
  }

  #reference({ $ref, description }: Record<string, unknown>, at: Position): [string, unknown][] {
    const target = this.#references.follow($ref, at);
    const made =
      target && this.#definitions.at(target.at, () => this.#schema(target.schema, target.at));
    if (made) return [['$ref', `#/$defs/${made.name}`]];
    // The description of its own follows, and says more.
    const isTold = description !== undefined && !isRepeated(at);
    return isTold ? [] : [['description', cutNote($ref)]];
  }

  /** Without the keywords that a cut further down would turn into a refusal. */
  #weakened(schema: Record<string, unknown>): Record<string, unknown> {
    if (!this.#references.isCut(schema)) return schema;
    const cuts = (keyword: string) => this.#references.isCut(schema[keyword]);
    const dropped = new Set(['unevaluatedProperties', 'unevaluatedItems']);
    for (const keyword of ['oneOf', 'not'].filter(cuts)) dropped.add(keyword);
    if (conditions.some(cuts)) for (const keyword of conditions) dropped.add(keyword);
    if (cuts('contains')) dropped.add('maxContains');
    const kept = Object.entries(schema).filter(([keyword]) => !dropped.has(keyword));
    return { ...Object.fromEntries(kept), ...(cuts('oneOf') && withAnyOf(schema)) };
  }
}

/** Whether the same stands above, with its words: within itself, a schema is shown without them. */
function isRepeated({ level }: Position): boolean {
  return level > 1;
}

/** One of several becomes any of several. */
function withAnyOf({ anyOf, allOf, oneOf }: Record<string, unknown>) {
  return anyOf === undefined ? { anyOf: oneOf } : { allOf: [...listOf(allOf), { anyOf: oneOf }] };
}

function cutNote(reference: unknown): string {
  const name = String(reference).split('/').at(-1);
  return `Nested further, in the form of ${name}`;
}

/** Headers may repeat only arguments that are properties and nothing else (`x-mcp-header`). */
function withoutMarks(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'x-mcp-header' ? undefined : value,
  );
}
