import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonSchema } from '#contract/json';
import { compilePattern } from '#contract/schema/pattern';
import { deepestComposition, listOf, resolve } from '../../schema/api-operations.ts';
import { mayEvaluate } from '../../schema/evaluated-properties.ts';
import type { ToolSchemas } from '../../schema/tool-schema.ts';
import type { BodyMember } from './body-members.ts';
import { leastMembers, mostMembers } from './member-counts.ts';
import type { WholeBody } from './tool-input.ts';

/** What holds for arguments together, in the terms of their names. */
export interface BodyRules {
  /** Each of them has to be satisfied. */
  readonly rules: readonly JsonSchema[];
  readonly references: ReadonlySet<string>;
  /** Number of schemas in them. */
  readonly size: number;
}

/** The members of a body by their names on the wire, and the argument that holds those without one. */
export interface DividedBody {
  readonly members: ReadonlyMap<string, BodyMember>;
  readonly rest: string | undefined;
}

/** A schema that no object satisfies. */
const impossible: JsonSchema = { not: {} };

/** Where a rule stands: a missing member means something else where the rule is turned around. */
interface Standing {
  readonly depth: number;
  /** The members' own schemas and `required` are those of the arguments already. */
  readonly isBase?: boolean;
  readonly isTurned?: boolean;
}

/**
 * Say what the schema of a body asks of its members together: alternatives, members that exclude
 * or need each other, and what an optional body needs once it is sent. The schemas that each
 * member has in any case are those of its argument.
 */
export function bodyRules(
  { schema, neededIfSent }: WholeBody,
  { members, rest }: DividedBody,
  schemas: ToolSchemas,
): BodyRules {
  const writer = new RuleWriter(schema.node, { members, rest }, schemas);
  const together = writer.parts(schema.node, { depth: 0, isBase: true });
  const { references, size } = writer;
  if (neededIfSent === undefined) return { rules: together, references, size };
  return { rules: writer.ifSent(together, neededIfSent), references, size };
}

class RuleWriter {
  readonly references = new Set<string>();
  size = 0;
  readonly #members: ReadonlyMap<string, BodyMember>;
  readonly #rest: string | undefined;
  readonly #schemas: ToolSchemas;
  /** Members that the body has whatever alternative it is. */
  readonly #base: ReadonlySet<string>;

  constructor(body: Record<string, unknown>, { members, rest }: DividedBody, schemas: ToolSchemas) {
    this.#members = members;
    this.#rest = rest;
    this.#schemas = schemas;
    this.#base = new Set(this.#declared(body, new Set()));
  }

  #declared(schema: Record<string, unknown>, seen: Set<unknown>): readonly string[] {
    const { node } = resolve(this.#schemas.document, { node: schema, pointer: '' });
    if (seen.has(node)) return [];
    seen.add(node);
    return [
      ...Object.keys(isObject(node['properties']) ? node['properties'] : {}),
      ...listOf(node['allOf']).flatMap((member) => this.#declared(member, seen)),
    ];
  }

  /** Rules for a body that may be left out: they hold once one of its members is there. */
  ifSent(rules: readonly JsonSchema[], needed: ReadonlySet<string>): readonly JsonSchema[] {
    const all = [...this.#members.values()];
    const required = this.#required([...needed], { depth: 0 });
    if (all.some(({ sent }) => sent === 'always')) return [...required, ...rules];
    const names = [...all.flatMap(({ name }) => name ?? []), ...(this.#rest ? [this.#rest] : [])];
    const [{ required: own = [] } = {}] = required as { required?: string[] }[];
    const others = (name: string) => own.filter((each) => each !== name);
    const dependent = names.filter((name) => others(name).length > 0);
    const dependentRequired = Object.fromEntries(dependent.map((name) => [name, others(name)]));
    const absent = { properties: Object.fromEntries(names.map((name) => [name, false])) };
    return [
      ...(dependent.length > 0 ? [{ dependentRequired }] : []),
      ...(rules.length > 0 ? [{ anyOf: [absent, joined(rules)] }] : []),
    ];
  }

  /** The rules in a schema, each of which has to be satisfied. */
  parts(schema: unknown, standing: Standing): readonly JsonSchema[] {
    if (schema === false) return [impossible];
    if (!isObject(schema) || standing.depth > deepestComposition) return [];
    const { node } = resolve(this.#schemas.document, { node: schema, pointer: '' });
    this.size++;
    const deeper = { ...standing, depth: standing.depth + 1 };
    return [
      ...(takesObjects(node) ? [] : [impossible]),
      ...this.#own(node, standing),
      ...listOf(node['allOf']).flatMap((member) => this.parts(member, deeper)),
      ...this.#choice(node, 'anyOf', deeper),
      ...this.#choice(node, 'oneOf', deeper),
      ...this.#negation(node, deeper),
      ...this.#condition(node, deeper),
      ...this.#dependencies(node, deeper),
    ];
  }

  #own(node: Record<string, unknown>, standing: Standing): readonly JsonSchema[] {
    const required = standing.isBase ? [] : this.#required(textsOf(node['required']), standing);
    const present = { members: [...this.#members.values()], rest: this.#rest };
    return [
      ...required,
      ...this.#properties(node, standing),
      ...this.#unevaluated(node, standing),
      ...leastMembers(node['minProperties'], present),
      ...mostMembers(node['maxProperties'], present),
    ];
  }

  #required(wires: readonly string[], { isTurned }: Standing): readonly JsonSchema[] {
    const names: string[] = [];
    for (const wire of wires) {
      const member = this.#members.get(wire);
      // No call sends what nobody declares: it is absent where its presence is the question.
      if (member === undefined && isTurned) return [impossible];
      if (member === undefined || member.sent === 'always') continue;
      if (member.name !== undefined) names.push(member.name);
      else if (!member.isReadOnly || isTurned) return [impossible];
    }
    return names.length > 0 ? [{ required: names }] : [];
  }

  /** What the members may be here, where that is less than what their arguments take. */
  #properties(node: Record<string, unknown>, standing: Standing): readonly JsonSchema[] {
    const found: [string, unknown][] = [];
    for (const [wire, member] of this.#members) {
      if (member.name === undefined) continue;
      const wanted = this.#schemasOf(wire, node, standing);
      const told = wanted.filter((schema) => !this.#isTold(schema, member));
      const [only, ...others] = told.map((schema) => this.#convert(schema));
      if (only === undefined) continue;
      found.push([member.name, others.length > 0 ? { allOf: [only, ...others] } : only]);
    }
    return found.length > 0 ? [{ properties: Object.fromEntries(found) }] : [];
  }

  /** The schemas that an object schema has for one of its members (2020-12 core, 10.3.2). */
  #schemasOf(
    wire: string,
    { properties, patternProperties, additionalProperties }: Record<string, unknown>,
    { isBase }: Standing,
  ): readonly unknown[] {
    const own = isObject(properties) && Object.hasOwn(properties, wire) ? [properties[wire]] : [];
    const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
    const matching = patterns.flatMap(([pattern, schema]) =>
      matches(pattern, wire) ? [schema] : [],
    );
    if (own.length + matching.length > 0) return isBase ? matching : [...own, ...matching];
    // A part that closes itself to what stands beside it is a slip of the description.
    const isMeant = !isBase && !this.#base.has(wire);
    return isMeant && additionalProperties !== undefined ? [additionalProperties] : [];
  }

  /** What an alternative that is made of parts leaves of the members that none of them speaks of. */
  #unevaluated(
    node: Record<string, unknown>,
    { isBase, isTurned }: Standing,
  ): readonly JsonSchema[] {
    const rest = node['unevaluatedProperties'];
    // Turned around, a part that may speak of a member would have to.
    if (rest === undefined || rest === true || isBase || isTurned) return [];
    const others = [...this.#members].flatMap(([wire, { name }]) =>
      // As with `additionalProperties`, what stands beside the alternatives is meant to be sent.
      name === undefined || this.#base.has(wire) || this.#mayEvaluate(node, wire) ? [] : [name],
    );
    if (others.length === 0) return [];
    const schema = this.#convert(rest);
    return [{ properties: Object.fromEntries(others.map((name) => [name, schema])) }];
  }

  #mayEvaluate(node: Record<string, unknown>, wire: string): boolean {
    return mayEvaluate(this.#schemas.document, node, wire);
  }

  /** Whether the argument of a member is held to this schema in any case. */
  #isTold(schema: unknown, member: BodyMember): boolean {
    if (schema === false) return false;
    if (schema === true || (isObject(schema) && isEmpty(schema))) return true;
    return member.isRewritten || isDeepStrictEqual(schema, member.schema);
  }

  #convert(schema: unknown): unknown {
    if (typeof schema === 'boolean') return schema;
    const { description: _, ...rest } = isObject(schema) ? schema : {};
    const { schema: converted, references, size } = this.#schemas.convert(rest);
    for (const reference of references) this.references.add(reference);
    this.size += size;
    return converted;
  }

  #choice(
    node: Record<string, unknown>,
    keyword: 'anyOf' | 'oneOf',
    standing: Standing,
  ): readonly JsonSchema[] {
    const given: unknown = node[keyword];
    if (!Array.isArray(given) || given.length === 0) return [];
    const members = given.map((member) => this.#joined(member, standing));
    const [only] = members;
    if (members.length === 1) return isEmpty(only) ? [] : [only ?? {}];
    if (keyword === 'anyOf' && members.some(isEmpty)) return [];
    return [{ [keyword]: members }];
  }

  #negation(node: Record<string, unknown>, standing: Standing): readonly JsonSchema[] {
    if (node['not'] === undefined) return [];
    const forbidden = this.#joined(node['not'], { ...standing, isTurned: true });
    return isDeepStrictEqual(forbidden, impossible) ? [] : [{ not: forbidden }];
  }

  #condition(node: Record<string, unknown>, standing: Standing): readonly JsonSchema[] {
    const { if: condition, then: positive, else: negative } = node;
    if (condition === undefined || (positive === undefined && negative === undefined)) return [];
    const rule: Record<string, unknown> = {
      if: this.#joined(condition, { ...standing, isTurned: true }),
    };
    if (positive !== undefined) rule['then'] = this.#joined(positive, standing);
    if (negative !== undefined) rule['else'] = this.#joined(negative, standing);
    return [rule];
  }

  #dependencies(node: Record<string, unknown>, standing: Standing): readonly JsonSchema[] {
    const keywords = ['dependentRequired', 'dependentSchemas', 'dependencies'];
    const entries = keywords.flatMap((keyword) => {
      const value = node[keyword];
      return isObject(value) ? Object.entries(value) : [];
    });
    return entries.flatMap(([wire, wanted]) => {
      const member = this.#members.get(wire);
      if (member === undefined || member.sent === 'never') return [];
      const rules = Array.isArray(wanted)
        ? this.#required(textsOf(wanted), standing)
        : this.parts(wanted, { ...standing, isBase: false });
      if (rules.length === 0) return [];
      if (member.sent === 'always' || member.name === undefined) return rules;
      return [{ dependentSchemas: { [member.name]: joined(rules) } }];
    });
  }

  #joined(schema: unknown, standing: Standing): JsonSchema {
    return joined(this.parts(schema, { ...standing, isBase: false }));
  }
}

/** One schema with all of these rules: side by side where their keywords differ. */
export function joined(rules: readonly JsonSchema[]): JsonSchema {
  const together: Record<string, unknown> = {};
  const further: JsonSchema[] = [];
  for (const rule of rules) {
    const isFree = Object.keys(rule).every((keyword) => together[keyword] === undefined);
    if (isFree && rule['allOf'] === undefined) Object.assign(together, rule);
    else further.push(rule);
  }
  return further.length === 0 ? together : { ...together, allOf: further };
}

function isEmpty(schema: JsonSchema | undefined): boolean {
  return schema === undefined || Object.keys(schema).length === 0;
}

function takesObjects({ type }: Record<string, unknown>): boolean {
  return type === undefined || [type].flat().includes('object');
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function matches(pattern: string, name: string): boolean {
  try {
    return compilePattern(pattern).test(name);
  } catch {
    return false;
  }
}
