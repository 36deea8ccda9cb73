import { isObject } from '#contract/json';
import type { Node } from '../document/walk.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';
import { unproven } from './unproven.ts';
import type { WrittenReferences } from './written-references.ts';

type Schema = boolean | Node;

/** Names of the members that some schema has looked at; absent where nobody asks. */
type Seen = Set<string> | undefined;

/** Words that decide nothing here; formats are not asked by the other reader either. */
const silentWords = new Set([
  ...[
    'id',
    '$id',
    '$schema',
    '$comment',
    '$defs',
    'definitions',
    'description',
    'default',
    'format',
  ],
  // Looked at together with the word that they belong to.
  ...['exclusiveMinimum', 'then', 'else', 'patternProperties', 'additionalProperties'],
  ...['unevaluatedProperties', '$dynamicAnchor'],
]);

/**
 * What an official schema of OpenAPI says of a description, references followed. Each part is looked
 * at once, so that it takes as long as the description is, however often a part is referred to.
 */
export class SchemaVerdict {
  readonly #schema: Node;
  readonly #references: WrittenReferences;
  readonly #known = new Map<Node, Map<object, boolean | undefined>>();
  /** Parts that were taken to be right while they were looked at, because they contain themselves. */
  readonly #presumed = new Map<Node, Set<object>>();
  readonly #patterns = new Map<string, RegExp>();
  readonly #definitions = new Map<string, Schema>();

  constructor(schema: Node, references: WrittenReferences) {
    this.#schema = schema;
    this.#references = references;
  }

  /** @throws Unproven where that cannot be said */
  accepts(document: Node): boolean {
    return this.#holds(this.#schema, document);
  }

  /** A member of the description: as it is, or what is written in its place, and then both are to fit. */
  #fits(schema: Schema, member: unknown): boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(member))
      return Array.isArray(member) ? this.#once(schema, member) : this.#holds(schema, member);
    const written = this.#references.targetOf(member);
    if (written === undefined) return this.#once(schema, member);
    // A reference to what contains it stays as it is.
    const fits = this.#once(schema, written);
    return fits === this.#once(schema, member) ? fits : unproven('a reference of another kind');
  }

  #once(schema: Node, value: object): boolean {
    const known = this.#known.get(schema) ?? new Map<object, boolean | undefined>();
    this.#known.set(schema, known);
    if (known.has(value)) {
      const fits = known.get(value);
      if (fits === undefined) {
        const presumed = this.#presumed.get(schema) ?? new Set();
        this.#presumed.set(schema, presumed.add(value));
      }
      return fits ?? true;
    }
    known.set(value, undefined);
    const fits = this.#holds(schema, value);
    if (!fits && this.#presumed.get(schema)?.has(value)) unproven('a part of itself');
    known.set(value, fits);
    return fits;
  }

  #holds(schema: Schema, value: unknown, seen?: Seen): boolean {
    if (typeof schema === 'boolean') return schema;
    const isClosed = schema['unevaluatedProperties'] === false;
    const own = isClosed ? (seen ?? new Set<string>()) : seen;
    for (const word in schema) {
      if (!this.#meets(word, schema, value, own)) return false;
    }
    if (!this.#hasRightMembers(schema, value, own)) return false;
    if (!isClosed || own === undefined || !isObject(value)) return true;
    return Object.keys(value).every((key) => own.has(key));
  }

  /** The same, without a trace in `seen` where it does not hold. */
  #tries(schema: Schema, value: unknown, seen: Seen): boolean {
    if (seen === undefined) return this.#holds(schema, value);
    const added = new Set<string>();
    const holds = this.#holds(schema, value, added);
    if (holds) for (const key of added) seen.add(key);
    return holds;
  }

  #meets(word: string, schema: Node, value: unknown, seen: Seen): boolean {
    const expected = schema[word];
    switch (word) {
      case 'type':
        return [expected].flat().some((type) => isOf(type, value));
      case 'enum':
        return (expected as unknown[]).includes(simple(value));
      case 'const':
        return expected === simple(value);
      case '$ref':
        return this.#holds(this.#definition(String(expected)), value, seen);
      case '$dynamicRef':
        // Schemas of OpenAPI 3.1 are looked at no further, by the other reader either.
        if (expected !== '#meta') unproven(word);
        return typeof value === 'boolean' || isObject(value);
      case 'allOf':
        return (expected as Schema[]).every((each) => this.#holds(each, value, seen));
      case 'anyOf':
        return (expected as Schema[]).filter((each) => this.#tries(each, value, seen)).length > 0;
      case 'oneOf':
        return (expected as Schema[]).filter((each) => this.#tries(each, value, seen)).length === 1;
      case 'not':
        return !this.#holds(expected as Schema, value);
      case 'if': {
        const branch = this.#tries(expected as Schema, value, seen) ? 'then' : 'else';
        return this.#holds((schema[branch] ?? true) as Schema, value, seen);
      }
      case 'pattern':
        return typeof value !== 'string' || this.#pattern(String(expected)).test(value);
      case 'minimum':
        if (typeof value !== 'number') return true;
        return schema['exclusiveMinimum'] === true
          ? value > Number(expected)
          : value >= Number(expected);
      case 'minItems':
        return !Array.isArray(value) || value.length >= Number(expected);
      case 'uniqueItems':
        return !Array.isArray(value) || expected !== true || this.#areDifferent(value);
      case 'items':
        return !Array.isArray(value) || value.every((item) => this.#fits(expected as Schema, item));
      case 'required':
        return !isObject(value) || (expected as string[]).every((key) => key in value);
      case 'minProperties':
        return !isObject(value) || Object.keys(value).length >= Number(expected);
      case 'maxProperties':
        return !isObject(value) || Object.keys(value).length <= Number(expected);
      case 'propertyNames':
        if (!isObject(value)) return true;
        return Object.keys(value).every((key) => this.#holds(expected as Schema, key));
      case 'dependentSchemas':
        if (!isObject(value)) return true;
        return Object.entries(expected as Record<string, Schema>).every(
          ([key, each]) => !(key in value) || this.#holds(each, value, seen),
        );
      case 'properties':
        if (!isObject(value)) return true;
        return Object.entries(expected as Record<string, Schema>).every(([key, each]) => {
          if (!(key in value)) return true;
          seen?.add(key);
          return this.#fits(each, value[key]);
        });
      default:
        return silentWords.has(word) || unproven(word);
    }
  }

  /** The members that `patternProperties` and `additionalProperties` are about. */
  #hasRightMembers(schema: Node, value: unknown, seen: Seen): boolean {
    const { patternProperties, additionalProperties, properties = {} } = schema;
    if (patternProperties === undefined && additionalProperties === undefined) return true;
    if (!isObject(value)) return true;
    const patterns = Object.entries((patternProperties ?? {}) as Record<string, Schema>);
    for (const key in value) {
      let isKnown = Object.hasOwn(properties as Node, key);
      for (const [pattern, each] of patterns) {
        if (!this.#pattern(pattern).test(key)) continue;
        isKnown = true;
        seen?.add(key);
        if (!this.#fits(each, value[key])) return false;
      }
      if (isKnown || additionalProperties === undefined) continue;
      seen?.add(key);
      if (!this.#fits(additionalProperties as Schema, value[key])) return false;
    }
    return true;
  }

  /** Whether items differ in what is no part of its own, which takes no time for each two of them. */
  #areDifferent(items: readonly unknown[]): boolean {
    const texts = items.map((item) => {
      const written = isObject(item) ? (this.#references.targetOf(item) ?? item) : item;
      return isObject(written)
        ? JSON.stringify(
            Object.entries(written)
              .filter(([, part]) => !isObject(part))
              // Not by what they hold: that may have no text.
              .sort(([a], [b]) => (a < b ? -1 : 1)),
          )
        : JSON.stringify(simple(written));
    });
    return new Set(texts).size === items.length || unproven('items that look alike');
  }

  #pattern(text: string): RegExp {
    const known = this.#patterns.get(text) ?? new RegExp(text, 'u');
    this.#patterns.set(text, known);
    return known;
  }

  #definition(reference: string): Schema {
    const known =
      this.#definitions.get(reference) ?? lookUp(this.#schema, parsePointer(reference.slice(1)));
    if (!isObject(known) && typeof known !== 'boolean') return unproven(reference);
    this.#definitions.set(reference, known);
    return known;
  }
}

function isOf(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return unproven('type');
  }
}

/** A value that is compared with others; whole objects are not. */
function simple(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? unproven('comparison') : value;
}
