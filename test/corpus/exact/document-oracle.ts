import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats, { type FormatName } from 'ajv-formats';
import { isObject } from '#contract/json';
import { patternEngine } from '#contract/schema/pattern';
import { nodeAt, pointerOf } from '../../../generator/model/schema/api-operations.ts';
import { isSafePattern } from '../../../generator/read/text/safe-pattern.ts';

/** Formats that a tool's schema checks (2020-12 validation, section 7.3). */
const formats: readonly FormatName[] = [
  ...(['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'] as const),
  ...(['uri', 'uri-reference', 'uri-template', 'uuid', 'json-pointer', 'regex'] as const),
];

const id = 'document';

type Judge = (value: unknown) => string | undefined;

type Node = Record<string, unknown>;

/** What a description itself says of a value, as a validator reads it that knows nothing of tools. */
export class DocumentOracle {
  /** The description as it holds for requests. */
  readonly root: Node;
  readonly #ajv: Ajv2020;

  constructor(root: object) {
    this.#ajv = new Ajv2020({
      ...{ strict: false, logger: false, inlineRefs: false },
      // What is compiled is asked a few times.
      code: { regExp: patternEngine, optimize: false },
      // In binary fractions 19.99 is no multiple of 0.01.
      multipleOfPrecision: 6,
      // A body without `constructor` has inherited none.
      ownProperties: true,
    });
    addFormats.default(this.#ajv, [...formats]);
    this.root = new ForRequests(root as Node).copy();
    this.#ajv.addSchema({ ...this.root, $id: id }, id, false, false);
  }

  /** What the schema at a pointer has against a value, '' for nothing; undefined where that cannot be told. */
  judge(pointer: string): Judge {
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    try {
      const validate = this.#ajv.compile({ $ref: `${id}#${fragment}` });
      return (value) => told(() => problemOf(validate, value));
    } catch {
      // It holds what is no schema.
      return () => undefined;
    }
  }
}

/** What a compiled schema has against a value, '' for nothing. */
export function problemOf(validate: ValidateFunction, value: unknown): string {
  if (validate(value)) return '';
  const errors = validate.errors ?? [];
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ');
}

/** Nothing for a schema that asks the same of the same value without end. */
function told(ask: () => string): string | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Names of the members that an object has whatever alternative it is. */
export function sureNames(root: unknown, schema: unknown, depth = 0): readonly string[] {
  if (!isObject(schema) || depth > 20) return [];
  const { $ref, properties, allOf } = schema;
  const target = typeof $ref === 'string' ? nodeAt(root, pointerOf($ref)) : undefined;
  const parts = [target, ...(Array.isArray(allOf) ? allOf : [])];
  return [
    ...Object.keys(isObject(properties) ? properties : {}),
    ...parts.flatMap((part) => sureNames(root, part, depth + 1)),
  ];
}

/** Requests neither need nor carry what only answers have (OpenAPI 3.0, schema object, readOnly). */
class ForRequests {
  readonly #root: Node;

  constructor(root: Node) {
    this.#root = root;
  }

  copy(): Node {
    return this.#copy(this.#root) as Node;
  }

  #copy(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((member) => this.#copy(member));
    if (!isObject(node)) return node;
    const hidden = new Set(this.#hidden(node));
    const entries = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
      if (key === '$id') return [];
      // What may take a matcher ages is told in words alone.
      if (key === 'pattern' && typeof value === 'string' && !isSafePattern(value)) return [];
      if (key === 'required' && Array.isArray(value)) {
        return [[key, value.filter((name) => !hidden.has(name))]];
      }
      if (key !== 'properties' || !isObject(value)) return [[key, this.#copy(value)]];
      const shown = Object.entries(value).filter(([name]) => !hidden.has(name));
      return [[key, this.#copy(Object.fromEntries(shown))]];
    });
    return Object.fromEntries(entries);
  }

  /** Read-only properties of a schema and of the parts that all of its values satisfy. */
  #hidden(schema: unknown, depth = 0): string[] {
    const node = this.#resolved(schema);
    if (!node || depth > 20) return [];
    const { properties, allOf } = node;
    const own = Object.entries(isObject(properties) ? properties : {});
    return [
      ...own.flatMap(([name, property]) => (this.#isReadOnly(property) ? [name] : [])),
      ...(Array.isArray(allOf) ? allOf : []).flatMap((part) => this.#hidden(part, depth + 1)),
    ];
  }

  #isReadOnly(schema: unknown, depth = 0): boolean {
    if (isObject(schema) && schema['readOnly'] === true) return true;
    const node = this.#resolved(schema);
    if (!node || depth > 20) return false;
    const parts: unknown = node['allOf'];
    const isPart = (part: unknown) => this.#isReadOnly(part, depth + 1);
    return node['readOnly'] === true || (Array.isArray(parts) && parts.some(isPart));
  }

  #resolved(schema: unknown): Node | undefined {
    let node = schema;
    for (let hops = 0; isObject(node) && typeof node['$ref'] === 'string' && hops < 100; hops++) {
      node = nodeAt(this.#root, pointerOf(node['$ref']));
    }
    return isObject(node) ? node : undefined;
  }
}
