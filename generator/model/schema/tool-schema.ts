import { isObject, type JsonSchema } from '#contract/json';
import { keywords, keywordsWhere } from '#contract/schema/keywords';
import { withSubschemas } from '#contract/schema/subschemas';
import { findValueProblem } from '../../read/check/value-problem.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { valuesOfProperty } from '../../read/upgrade/property-values.ts';
import { DefinitionNames } from '../texts/definition-names.ts';
import { instructionIn } from '../texts/instruction-text.ts';
import { hiddenNote } from '../texts/published-texts.ts';
import { type Annotated, annotate } from '../texts/schema-notes.ts';
import { pointerOf, resolve } from './api-operations.ts';
import { longInteger, withDigits } from './long-integers.ts';
import { ReadOnlyProperties } from './read-only-properties.ts';
import { unicodePattern } from './unicode-pattern.ts';

/** Only what a machine has written nests deeper without a reference. */
const deepest = 64;

/** A converted schema and the component schemas that it refers to, by pointer. */
export interface Converted {
  readonly schema: JsonSchema;
  readonly references: ReadonlySet<string>;
  /** Number of schemas in it. */
  readonly size: number;
  /** What its descriptions hold that reads like an instruction to the model. */
  readonly instructions?: readonly string[];
  /** What nobody would see in values that it leaves out. */
  readonly unseen?: readonly string[];
}

/** The component schemas that some schemas lead to, by the names that they have in `$defs`. */
interface Closure extends Pick<Converted, 'size' | 'instructions' | 'unseen'> {
  readonly definitions: readonly [string, JsonSchema][];
}

interface State {
  readonly references: Set<string>;
  readonly instructions: string[];
  readonly unseen: string[];
  size: number;
}

/** What is known while the keywords of a schema are converted. */
interface Inside {
  /** Its read-only properties. */
  readonly hidden: ReadonlySet<string>;
  readonly depth: number;
  readonly state: State;
}

const none: ReadonlySet<string> = new Set();

/**
 * Keywords that a tool's schema carries over: what limits values in the dialect of tools, and the
 * default. The others only document, are unknown, or have been written anew in that dialect.
 */
const carried = keywordsWhere(
  ({ about, since, until }) =>
    about !== 'place' && about !== 'reader' && since !== 'OpenAPI' && until === undefined,
).union(new Set(['default']));

/** Order in which a reader wants to see keywords; what is not listed follows as the vendor wrote it. */
const first = ['$ref', 'type', 'const', 'enum', 'description'];

/**
 * Turns schemas of one description into schemas that a client of a tool can take: local references
 * to `$defs`, nothing that only documents, no read-only properties. Each component is converted
 * once, whichever tools use it.
 */
export class ToolSchemas {
  readonly document: ApiDocument;
  readonly readOnly: ReadOnlyProperties;
  readonly #names: DefinitionNames;
  readonly #components = new Map<string, Converted>();

  readonly #follow = (value: unknown): unknown =>
    isObject(value) ? resolve(this.document, { node: value, pointer: '' }).node : value;

  constructor(document: ApiDocument) {
    this.document = document;
    this.readOnly = new ReadOnlyProperties(document);
    this.#names = new DefinitionNames(document);
  }

  /** Convert a schema; what it refers to is left to `closure`. */
  convert(node: unknown): Converted {
    const state: State = { references: new Set(), instructions: [], unseen: [], size: 0 };
    return { schema: this.#schema(node, 0, state), ...state };
  }

  /** All that converted schemas refer to, for `$defs`, and what there is to say of it. */
  closure(references: Iterable<string>): Closure {
    const instructions: string[] = [];
    const unseen: string[] = [];
    const reached = new Set(references);
    const definitions: [string, JsonSchema][] = [];
    let size = 0;
    // A set also visits what is added while it is walked.
    for (const pointer of reached) {
      const component = this.#component(pointer);
      size += component.size;
      instructions.push(...(component.instructions ?? []));
      unseen.push(...(component.unseen ?? []));
      definitions.push([this.#names.of(pointer), component.schema]);
      for (const next of component.references) reached.add(next);
    }
    return { definitions, size, instructions, unseen };
  }

  #component(pointer: string): Converted {
    const known = this.#components.get(pointer);
    if (known !== undefined) return known;
    const target = resolve(this.document, { node: { $ref: `#${pointer}` }, pointer });
    const converted = this.convert(target.node);
    this.#components.set(pointer, converted);
    return converted;
  }

  /** `within` are the read-only properties of what the schema is a part of. */
  #schema(
    node: unknown,
    depth: number,
    state: State,
    within: ReadonlySet<string> = none,
  ): JsonSchema {
    state.size++;
    if (node === false) return { not: {} };
    if (!isObject(node)) return {};
    if (depth > deepest) return { description: 'Nested too deep to be described here' };
    const instruction = instructionIn(node['description']);
    if (instruction !== undefined) state.instructions.push(instruction);
    const hidden = this.readOnly.of(node).union(within);
    const told = this.#withTelling(node);
    return arrange(this.#keywords(annotate(told), { hidden, depth: depth + 1, state }));
  }

  /**
   * A choice that demands the property that tells its alternatives apart, where they leave it optional, as
   * frameworks do that give it a default: what is meant without it is undefined (OpenAPI 3.1.1,
   * Discriminator Object), and all of them may fit.
   */
  #withTelling(node: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { oneOf, discriminator, required = [] } = node;
    const name = isObject(discriminator) ? discriminator['propertyName'] : undefined;
    if (typeof name !== 'string' || !Array.isArray(oneOf) || !Array.isArray(required)) return node;
    const isDeclared = (each: unknown) =>
      valuesOfProperty(this.document.root, each, name).isDeclared;
    if (required.includes(name) || !oneOf.every(isDeclared)) return node;
    return { ...node, required: [...required, name] };
  }

  #keywords({ node, description }: Annotated, inside: Inside): [string, unknown][] {
    const entries: [string, unknown][] = [];
    for (const [keyword, value] of Object.entries(node)) {
      // What the vendor itself forbids is nothing to send.
      if (keyword === 'default' && findValueProblem(this.#follow, node, value)) continue;
      const seen = seenValues(keyword, value, inside.state);
      const kept = seen === undefined ? undefined : this.#keyword(keyword, seen, inside);
      if (kept !== undefined) entries.push([keyword, kept]);
    }
    if (description !== undefined) entries.push(['description', description]);
    return entries;
  }

  #keyword(keyword: string, value: unknown, { hidden, depth, state }: Inside): unknown {
    const isInPlace = keywords.get(keyword)?.inPlace === true;
    const within = isInPlace ? hidden : none;
    const convert = (member: unknown) => {
      if (typeof member === 'boolean') return member;
      // Beside other alternatives its digits may be a text of their own.
      const long = isInPlace ? undefined : longInteger(this.document, member);
      if (long === undefined) return this.#schema(member, depth, state, within);
      return withDigits(this.#schema({ ...long, ...ownText(member) }, depth, state), long);
    };
    if (keyword === '$ref') return this.#reference(value, state);
    if (!carried.has(keyword)) return undefined;
    if (keyword === 'required') return withoutHidden(value, hidden);
    if (keyword === 'pattern' && typeof value === 'string') return unicodePattern(value);
    if (!isWellFormed(keyword, value)) return undefined;
    const shown = keyword === 'properties' ? withoutNames(value, hidden) : value;
    return withSubschemas(keyword, shown, convert);
  }

  #reference(value: unknown, state: State): string {
    const pointer = pointerOf(String(value));
    state.references.add(pointer);
    return `#/$defs/${this.#names.of(pointer)}`;
  }
}

/**
 * The values that a reader sees as they are sent: among others, or as a default, one that holds what
 * nobody sees is left out. Alone it stays, and is an error (P037).
 */
function seenValues(keyword: string, value: unknown, { unseen }: State): unknown {
  if (keyword !== 'enum' && keyword !== 'default') return value;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const notes = values.map((each) => (typeof each === 'string' ? hiddenNote(each) : undefined));
  const hidden = notes.filter((note) => note !== undefined);
  if (hidden.length === 0) return value;
  if (keyword === 'enum' && hidden.length === values.length) return value;
  unseen.push(...hidden);
  return keyword === 'enum' ? values.filter((_, index) => notes[index] === undefined) : undefined;
}

/** What a schema that refers to another says of the place itself. */
function ownText(schema: unknown): { description?: unknown } {
  return isObject(schema) && schema['description'] !== undefined
    ? { description: schema['description'] }
    : {};
}

/** Whether schemas stand where the keyword has them. */
function isWellFormed(keyword: string, value: unknown): boolean {
  const holds = keywords.get(keyword)?.schemas;
  if (holds === 'list') return Array.isArray(value);
  return holds !== 'map' || isObject(value);
}

function withoutNames(properties: unknown, hidden: ReadonlySet<string>): unknown {
  if (!isObject(properties) || hidden.size === 0) return properties;
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.has(name)));
}

function withoutHidden(required: unknown, hidden: ReadonlySet<string>): unknown {
  if (!Array.isArray(required) || hidden.size === 0) return required;
  const rest = required.filter((name) => !hidden.has(name));
  return rest.length === 0 ? undefined : rest;
}

/** Order the keywords, and drop an `allOf` that only served to hang a description on a reference. */
function arrange(entries: readonly [string, unknown][]): JsonSchema {
  const schema = new Map(entries);
  const allOf = schema.get('allOf');
  if (Array.isArray(allOf) && allOf.length === 1 && isOnlyAnnotated(schema)) {
    schema.delete('allOf');
    const own = schema.get('description');
    for (const [keyword, value] of Object.entries(allOf[0])) schema.set(keyword, value);
    if (own !== undefined) schema.set('description', own);
  }
  const ordered = first.flatMap((keyword): [string, unknown][] =>
    schema.has(keyword) ? [[keyword, schema.get(keyword)]] : [],
  );
  return Object.fromEntries([
    ...ordered,
    ...[...schema].filter(([keyword]) => !first.includes(keyword)),
  ]);
}

function isOnlyAnnotated(schema: ReadonlyMap<string, unknown>): boolean {
  return [...schema.keys()].every((keyword) =>
    ['allOf', 'description', 'default'].includes(keyword),
  );
}
