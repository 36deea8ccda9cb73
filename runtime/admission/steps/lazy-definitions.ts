import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { SchemaEnv } from 'ajv/dist/compile/index.js';
import members from 'ajv/dist/vocabularies/applicator/properties.js';
import original, { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { isObject, type JsonSchema } from '#contract/json';
import { keywords, keywordsWhere } from '#contract/schema/keywords';
import { mostTogether, nestedKeywords } from '#contract/schema/members-together';
import { subschemas } from '#contract/schema/subschemas';
import { createDefinition, type Definition, definitionsPath } from './lazy-definition.ts';
import { checkEachWhenGiven } from './many-members.ts';
import { checkInGroups, hasMany } from './many-parts.ts';

type Definitions = Readonly<Record<string, unknown>>;

/** What references lead to, by their paths. */
type Scope = ReadonlyMap<string, Definition>;

/** Keywords by which a reference may lead somewhere else than its path says. */
const placed = keywordsWhere(({ about }) => about === 'place').difference(
  new Set(['$schema', '$ref', '$defs']),
);

/** What these forbid hangs on what the parts of their schema look at (2020-12 core, 11). */
const unevaluated = ['unevaluatedProperties', 'unevaluatedItems'];

/**
 * Compiles schemas so that each of their definitions, and each of many members, is compiled when a value
 * first comes to it: of hundreds, a call needs few, and the compiler would write code for all of them
 * before the first.
 */
export class LazyDefinitions {
  readonly #ajv: Ajv2020;
  /** Tools of a vendor may share their definitions: each is compiled once then. */
  readonly #scopes = new WeakMap<Definitions, Scope | undefined>();
  /** Those in which something is forbidden that no part looks at. */
  readonly #tracking = new WeakSet<Scope>();
  /** Schemas whose references cannot wait. */
  readonly #eager = new WeakSet<object>();
  #current: Scope | undefined;

  constructor(ajv: Ajv2020) {
    this.#ajv = ajv;
    ajv.removeKeyword('$ref');
    ajv.addKeyword({
      ...original.default,
      code: (context) => {
        const { gen, parentSchema, schema } = context;
        const target = this.#current?.get(String(schema));
        if (target === undefined) return original.default.code(context);
        const env = new SchemaEnv({ schema: true });
        env.validate = this.#eager.has(parentSchema) ? target.now() : target.later;
        callRef(context, gen.scopeValue('validate', { ref: env.validate }), env);
      },
    });
    ajv.removeKeyword('properties');
    ajv.addKeyword({
      ...members.default,
      // Where it was: what comes next asks which members are known.
      before: 'patternProperties',
      code: (context) => {
        const scope = this.#current;
        if (scope === undefined || Object.keys(context.schema).length <= mostTogether)
          return members.default.code(context);
        checkEachWhenGiven(context, (schema) => this.#within(scope, schema));
      },
    });
    for (const keyword of nestedKeywords) this.#group(keyword);
  }

  /** Has many parts of a keyword checked in groups, at the place where the keyword was. */
  #group(keyword: string): void {
    const rules = this.#ajv.RULES.rules.flatMap((group) => group.rules);
    const definition = rules.find((rule) => rule.keyword === keyword)?.definition;
    if (definition === undefined || !('code' in definition)) return;
    const plain = definition.code;
    definition.code = (context, type) => {
      const scope = this.#current;
      if (scope === undefined || !hasMany(context.schema)) return plain(context, type);
      const isEager = this.#eager.has(context.parentSchema);
      checkInGroups(
        context,
        (schema) => this.#within(scope, schema),
        (group) => (isEager ? group.now() : group.later),
      );
    };
  }

  /** @throws Error where it is no schema, or one of its references leads nowhere */
  compile(schema: JsonSchema): ValidateFunction {
    const { $defs, ...root } = schema;
    let scope = this.#scopeOf(isObject($defs) ? $defs : {});
    if (scope === undefined || !arePlain([root], scope)) return this.#within(undefined, schema);
    if (asksWhatIsLookedAt(root) && !this.#tracking.has(scope)) {
      // Definitions that nobody asks what they look at do not say it: these are compiled for this schema alone.
      if (scope.size > 0) scope = this.#scopeOf({ ...Object($defs) }) ?? scope;
      this.#tracking.add(scope);
    }
    this.#findEager([root], scope);
    return this.#within(scope, root);
  }

  /** Nothing where definitions have to be compiled together with what refers to them. */
  #scopeOf(definitions: Definitions): Scope | undefined {
    if (this.#scopes.has(definitions)) return this.#scopes.get(definitions);
    const scope = new Map<string, Definition>();
    for (const [name, schema] of Object.entries(definitions)) {
      const path = definitionsPath + name;
      scope.set(
        path,
        createDefinition(path, schema, () => this.#within(scope, schema)),
      );
    }
    const schemas = Object.values(definitions);
    if (schemas.some(asksWhatIsLookedAt)) this.#tracking.add(scope);
    const isLazy = arePlain(schemas, scope);
    if (isLazy) this.#findEager(schemas, scope);
    this.#scopes.set(definitions, isLazy ? scope : undefined);
    return isLazy ? scope : undefined;
  }

  /** All that holds for the same value as a schema that forbids what its parts do not look at. */
  #findEager(schemas: readonly unknown[], scope: Scope): void {
    for (const schema of schemas) {
      if (!isObject(schema)) continue;
      if (unevaluated.some((keyword) => Object.hasOwn(schema, keyword))) {
        for (const part of partsOf(schema, scope)) this.#eager.add(part);
      }
      this.#findEager(
        subschemas(schema).map((inner) => inner.schema),
        scope,
      );
    }
  }

  #within(scope: Scope | undefined, schema: unknown): ValidateFunction {
    const before = this.#current;
    this.#current = scope;
    // To know what is looked at, each alternative is: without that, the first that takes a value ends it.
    this.#ajv.opts.unevaluated = scope ? this.#tracking.has(scope) : asksWhatIsLookedAt(schema);
    try {
      // What is no schema has been refused before.
      return this.#ajv.compile(schema as JsonSchema | boolean);
    } finally {
      this.#current = before;
      // The compiler remembers what it has compiled, and not for which definitions.
      if (isObject(schema)) this.#ajv.removeSchema(schema);
    }
  }
}

/** Whether something in a schema is forbidden that its parts do not look at. */
function asksWhatIsLookedAt(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (unevaluated.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  return subschemas(schema).some((inner) => asksWhatIsLookedAt(inner.schema));
}

/** Whether all references in schemas lead to definitions. */
function arePlain(schemas: readonly unknown[], scope: Scope): boolean {
  return schemas.every((schema) => {
    if (!isObject(schema)) return true;
    const { $ref } = schema;
    if ($ref !== undefined && !scope.has(String($ref))) return false;
    if (Object.keys(schema).some((keyword) => placed.has(keyword))) return false;
    return arePlain(
      subschemas(schema).map((inner) => inner.schema),
      scope,
    );
  });
}

/** A schema and all that holds for the same value. */
function partsOf(schema: object, scope: Scope): ReadonlySet<object> {
  const parts = new Set<object>([schema]);
  // A set also visits what is added while it is walked.
  for (const part of parts) {
    const inner = subschemas(part).filter(({ keyword }) => keywords.get(keyword)?.inPlace);
    const { $ref } = part as JsonSchema;
    const found = [...inner.map((each) => each.schema), scope.get(String($ref))?.schema];
    for (const each of found) if (isObject(each)) parts.add(each);
  }
  return parts;
}
