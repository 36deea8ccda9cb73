import { isObject } from '#contract/json';
import type { Grammar, ObjectType, Shape } from '../grammar/shape.ts';
import type { Path } from '../text/origins.ts';

/** A map of a description. */
export type Node = Record<string, unknown>;

/** Where a node hangs. The path belongs to the walker: copy it to keep it. */
export interface Place {
  readonly parent: Node;
  readonly key: string | number;
  readonly path: Path;
}

/** What a walk does on its way. */
export interface Visitor {
  /** An object of the type `name`, before its members are walked. */
  object?(name: string, node: Node, path: Path): void;
  /** The same object, after its members were walked. */
  leave?(name: string, node: Node, path: Path): void;
  /** An object with a `$ref` where `shape` is expected; the walk goes on with what is returned. */
  reference?(node: Reference, shape: Shape, place: Place): unknown;
}

export type Reference = Node & { $ref: string };

/** Walk a description along its grammar: all of it, or the object of type `name` at `path`. */
export function walk(
  grammar: Grammar,
  root: Node,
  visitor: Visitor,
  from: { readonly name: string; readonly path: Path } = { name: 'Document', path: [] },
): void {
  new Walker(grammar, visitor).run(root, from.name, from.path);
}

class Walker {
  readonly #grammar: Grammar;
  readonly #visitor: Visitor;
  #path: (string | number)[] = [];

  constructor(grammar: Grammar, visitor: Visitor) {
    this.#grammar = grammar;
    this.#visitor = visitor;
  }

  run(root: Node, name: string, path: Path): void {
    const shape: Shape = { kind: 'object', name };
    const last = path.at(-1);
    this.#path = path.slice(0, -1);
    const parent = this.#path.reduce<unknown>((node, step) => (node as Node)[step], root);
    if (last === undefined) this.#visit(shape, root);
    else this.#into(shape, parent as Node, last);
  }

  #into(shape: Shape, parent: Node, key: string | number): void {
    if (shape.kind === 'any') return;
    this.#path.push(key);
    let value = parent[key];
    if (this.#visitor.reference !== undefined && isReference(value)) {
      const own = shape.kind === 'oneOrMany' ? shape.one : shape;
      value = this.#visitor.reference(value, own, { parent, key, path: this.#path });
    }
    this.#visit(shape, value);
    this.#path.pop();
  }

  #visit(shape: Shape, value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    switch (shape.kind) {
      case 'oneOrMany':
        this.#visit(Array.isArray(value) ? shape.many : shape.one, value);
        break;
      case 'list':
        if (!Array.isArray(value) || isLeaf(shape.of)) return;
        for (let index = 0; index < value.length; index++) {
          this.#into(shape.of, value as unknown as Node, index);
        }
        break;
      case 'map':
        if (Array.isArray(value)) return;
        for (const key in value) this.#into(shape.of, value as Node, key);
        break;
      case 'object':
        if (!Array.isArray(value)) this.#visitObject(shape.name, value as Node);
        break;
    }
  }

  #visitObject(name: string, node: Node): void {
    const type = typeOf(this.#grammar, name, node);
    if (type === undefined || isReferenceObject(type, node)) return;
    this.#visitor.object?.(name, node, this.#path);
    // Maps have no prototype, so that there is nothing to inherit; no list of keys is made.
    for (const key in node) {
      const shape = shapeOf(type, key);
      if (shape !== undefined) this.#into(shape, node, key);
    }
    this.#visitor.leave?.(name, node, this.#path);
  }
}

/** The type of an object, when its variants are decided; `undefined` when none fits. */
export function typeOf(grammar: Grammar, name: string, node: Node): ObjectType | undefined {
  const type = grammar[name];
  if (type?.variants === undefined || isReferenceObject(type, node)) return type;
  const { by, types } = type.variants;
  const value = node[by];
  if (typeof value !== 'string' || !Object.hasOwn(types, value)) return undefined;
  return typeOf(grammar, types[value] ?? '', node);
}

/** What may stand at `key` of an object; `undefined` when nobody says. */
export function shapeOf(type: ObjectType, key: string): Shape | undefined {
  return type.fields[key] ?? type.patterned?.find(({ test }) => test.test(key))?.of;
}

/** Whether a node has a `$ref` that is one. */
export function isReference(value: unknown): value is Reference {
  return isObject(value) && typeof value['$ref'] === 'string';
}

/** Whether a node is a Reference Object instead of what its place is for. */
export function isReferenceObject(type: ObjectType, node: Node): boolean {
  return type.section !== undefined && type.fields['$ref'] === undefined && isReference(node);
}

function isLeaf({ kind }: Shape): boolean {
  return kind === 'any' || kind === 'string' || kind === 'number' || kind === 'boolean';
}
