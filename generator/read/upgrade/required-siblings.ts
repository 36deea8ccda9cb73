import { isObject } from '#contract/json';
import { isReference, type Node } from '../document/walk.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';

/**
 * Whether `required` beside a `$ref` can only mean both, though what stands there is ignored before
 * 3.1: it names members of the object that the reference leads to, which callers may give.
 */
export class RequiredSiblings {
  readonly #root: Node;
  /** The names of members that callers may give, by the object that has them. */
  readonly #names = new Map<object, ReadonlySet<string>>();

  constructor(root: Node) {
    this.#root = root;
  }

  areMeant(node: Node): boolean {
    const { required } = node;
    if (!isReference(node) || !Array.isArray(required) || required.length === 0) return false;
    const names = this.#namesOf(this.#target(node));
    return required.every((name) => typeof name === 'string' && names.has(name));
  }

  #namesOf(target: unknown): ReadonlySet<string> {
    if (!isObject(target)) return none;
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    const parts: unknown[] = Array.isArray(target['allOf']) ? target['allOf'] : [];
    const all = [target, ...parts.map((part) => this.#target(part))].flatMap(membersOf);
    const refused = new Set(all.filter(([, { readOnly }]) => readOnly === true).map(nameOf));
    const names = new Set(all.map(nameOf).filter((name) => !refused.has(name)));
    this.#names.set(target, names);
    return names;
  }

  #target(node: unknown): unknown {
    if (!isReference(node)) return node;
    return node.$ref.startsWith('#')
      ? lookUp(this.#root, parsePointer(node.$ref.slice(1)))
      : undefined;
  }
}

const none: ReadonlySet<string> = new Set();

type Member = readonly [name: string, schema: Node];

function nameOf([name]: Member): string {
  return name;
}

function membersOf(schema: unknown): Member[] {
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  return Object.entries(schema['properties']).flatMap(([name, each]): Member[] =>
    isObject(each) ? [[name, each]] : [],
  );
}
