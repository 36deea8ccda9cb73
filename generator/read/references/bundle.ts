import { basename, extname } from 'node:path';
import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import {
  isReference,
  type Node,
  type Place,
  type Reference,
  type Visitor,
  walk,
} from '../document/walk.ts';
import { lose, report, type WorkingDocument } from '../document/working-document.ts';
import type { Shape } from '../grammar/shape.ts';
import { formatPointer, lookUp } from '../text/json-pointer.ts';
import { type Path, within } from '../text/origins.ts';
import { maxDepth } from '../text/parsed-text.ts';
import { type Refusal, resolveReference, type Target } from './reference-target.ts';

type Foreign = Target & { kind: 'foreign' };

/** More nodes than any description takes from other places by plain inclusion. */
const maxIncluded = 20_000;

/** A `$ref` that leads to a place in the document itself. */
export interface LocalReference {
  readonly node: Reference;
  readonly shape: Shape;
  readonly path: Path;
}

export interface Bundled {
  /** The references inside the document. */
  readonly local: readonly LocalReference[];
  /** Nodes that are nothing but a reference that was refused; schemas are not among them. */
  readonly refused: readonly Path[];
}

/**
 * Brings everything that other files contribute into one document. What can be a component becomes
 * one, and the `$ref` points to it; the rest (path items, operations, texts) is put in its place.
 */
export class Bundler {
  readonly #document: WorkingDocument;
  /** Nodes whose `$ref` points into the document already. */
  readonly #done = new WeakSet<object>();
  /** Pointers of the components that foreign nodes have become. */
  readonly #components = new Map<string, string>();
  /** Components that have yet to be walked. */
  #added: { name: string; path: Path }[] = [];
  /** What is being included, from the outside in. */
  #including: { path: string; id: string }[] = [];
  #included = 0;
  #isLast = true;
  #refused: Path[] = [];
  #local: LocalReference[] = [];
  readonly #repair: Visitor['object'];
  /** Whether anything came from another file. */
  hasForeign = false;

  /** @param repair what is done to each object once there are any of other files, before it is bundled */
  constructor(document: WorkingDocument, repair?: Visitor['object']) {
    this.#document = document;
    this.#repair = repair;
  }

  /**
   * Bundle what is not bundled yet; gives all of its references. Those that lead
   * nowhere are reported in the last run only: an overlay may repair them.
   */
  run(isLast: boolean): Bundled {
    this.#isLast = isLast;
    const { grammar, root } = this.#document;
    this.#local = [];
    this.#refused = [];
    this.#adoptComponents();
    const visitor = {
      reference: this.#reference.bind(this),
      object: this.#object.bind(this),
    };
    walk(grammar, root, visitor);
    for (let next = this.#added.shift(); next; next = this.#added.shift()) {
      walk(grammar, root, visitor, next);
    }
    return { local: this.#local, refused: this.#refused };
  }

  /** Let components that are nothing but a reference to a file be that file, under their name. */
  #adoptComponents(): void {
    const { grammar, root } = this.#document;
    for (const [name, { section }] of Object.entries(grammar)) {
      if (section === undefined) continue;
      const components = lookUp(root, section);
      if (!isObject(components)) continue;
      for (const key of Object.keys(components))
        this.#adopt(components, key, [...section, key], name);
    }
  }

  #adopt(parent: Node, key: string, path: Path, name: string): void {
    const node = parent[key];
    if (!isReference(node) || node.$ref.startsWith('#') || Object.keys(node).length > 1) return;
    const target = this.#resolve(node.$ref, path);
    if (target.kind !== 'foreign') return;
    const id = idOf(target, path.slice(0, -1));
    if (this.#components.has(id)) return;
    this.#components.set(id, formatPointer(path));
    this.#include(node, { kind: 'object', name }, { parent, key, path }, target);
  }

  #resolve(ref: string, path: Path): Target {
    const target = resolveReference(this.#document, ref, path);
    this.hasForeign ||= target.kind === 'foreign';
    return target;
  }

  #reference(node: Reference, shape: Shape, place: Place): unknown {
    if (this.#done.has(node)) {
      this.#local.push({ node, shape, path: [...place.path] });
      return node;
    }
    const target = this.#resolve(node.$ref, place.path);
    if (target.kind === 'refused') return this.#refuse(node, shape, place, target);
    const type = shape.kind === 'object' ? this.#document.grammar[shape.name] : undefined;
    const isPathItem = shape.kind === 'object' && shape.name === 'PathItem' && isTop(place.path);
    if (target.kind === 'foreign' && type?.section !== undefined && shape.kind === 'object') {
      return this.#pointTo(this.#mount(target, shape.name, type.section), node, shape, place);
    }
    if (target.kind === 'foreign') return this.#includeOnce(node, shape, place, target);
    const value = isPathItem ? lookUp(this.#document.root, target.steps) : undefined;
    if (value === undefined) {
      return this.#pointTo(formatPointer(target.steps), node, shape, place);
    }
    const origin = this.#document.origins.at(target.steps);
    return this.#includeOnce(node, shape, place, { kind: 'foreign', origin, value });
  }

  #pointTo(pointer: string, node: Reference, shape: Shape, { path }: Place): Reference {
    node.$ref = `#${pointer}`;
    this.#done.add(node);
    this.#local.push({ node, shape, path: [...path] });
    return node;
  }

  /** Make a component of a foreign node; gives its pointer. */
  #mount(target: Foreign, typeName: string, section: Path): string {
    const id = idOf(target, section);
    const known = this.#components.get(id);
    if (known !== undefined) return known;
    const { root, origins } = this.#document;
    const components = section.reduce<Node>((parent, step) => mapAt(parent, String(step)), root);
    const name = freeName(components, nameOf(target));
    components[name] = target.value;
    origins.set(components, name, target.origin);
    const path = [...section, name];
    this.#components.set(id, formatPointer(path));
    this.#added.push({ name: typeName, path });
    return formatPointer(path);
  }

  #includeOnce(node: Reference, shape: Shape, place: Place, target: Foreign): unknown {
    const path = formatPointer(place.path);
    this.#including = this.#including.filter((outer) => path.startsWith(outer.path));
    const id = idOf(target, []);
    if (this.#including.some((outer) => outer.id === id)) {
      const message = `$ref "${node.$ref}" leads back to a place that includes it`;
      return this.#refuse(node, shape, place, { kind: 'refused', code: 'SPEC008', message });
    }
    if (++this.#included > maxIncluded || place.path.length > maxDepth) {
      const message = `too much is included by $ref: more than ${maxIncluded} nodes, or ${maxDepth} levels deep`;
      return this.#refuse(node, shape, place, { kind: 'refused', code: 'SPEC003', message });
    }
    this.#including.push({ path, id });
    return this.#include(node, shape, place, target);
  }

  /** Put a copy of the target in the place of the reference; what stands beside `$ref` wins. */
  #include(node: Reference, shape: Shape, place: Place, target: Foreign): unknown {
    const { parent, key, path } = place;
    const { origins } = this.#document;
    const { value, origin } = target;
    if (typeof value !== 'object' || value === null) {
      parent[key] = value;
      return value;
    }
    const copy = Array.isArray(value) ? [...value] : bareMap(value);
    for (const step of Object.keys(value)) origins.set(copy, step, within(origin, [step]));
    for (const step of Object.keys(node)) {
      if (step === '$ref' || Array.isArray(copy)) continue;
      origins.set(copy, step, origins.at([...path, step]));
      copy[step] = node[step];
    }
    parent[key] = copy;
    if (!isReference(copy)) return copy;
    // Where the file is nothing but another reference, that is read from the place of the file.
    origins.set(parent, key, origin);
    return this.#reference(copy, shape, place);
  }

  #refuse(
    node: Reference,
    shape: Shape,
    { parent, key, path }: Place,
    refusal: Refusal,
  ): undefined {
    if (!this.#isLast) return;
    const { code, message, help } = refusal;
    const at = [...path, '$ref'];
    // Without its example an operation is what it was.
    if (shape.kind === 'object' && shape.name === 'Example') {
      report(this.#document, code, at, message, { help, severity: 'warning' });
      delete parent[key];
      return;
    }
    lose(this.#document, at, report(this.#document, code, at, message, { help }));
    if (shape.kind === 'object' && shape.name === 'Schema') delete (node as Node)['$ref'];
    else this.#refused.push([...path]);
    return undefined;
  }

  #object(typeName: string, node: Node, path: Path): void {
    if (this.hasForeign) this.#repair?.(typeName, node, path);
    if (typeName !== 'Discriminator' || !isObject(node['mapping'])) return;
    const mapping = node['mapping'];
    if (this.#done.has(mapping)) return;
    this.#done.add(mapping);
    const section = this.#document.grammar['Schema']?.section ?? [];
    for (const [value, schema] of Object.entries(mapping)) {
      if (typeof schema !== 'string' || this.#isComponentName(schema, section)) continue;
      const target = this.#resolve(schema, [...path, 'mapping', value]);
      if (target.kind === 'foreign') {
        mapping[value] = `#${this.#mount(target, 'Schema', section)}`;
      }
    }
  }

  #isComponentName(text: string, section: readonly string[]): boolean {
    return lookUp(this.#document.root, [...section, text]) !== undefined;
  }
}

/** Whether a path item stands under `paths` or `webhooks`, where it is wanted in one piece. */
function isTop(path: Path): boolean {
  return path.length === 2 && (path[0] === 'paths' || path[0] === 'webhooks');
}

function idOf({ origin }: Foreign, section: Path): string {
  return `${origin.file.path}#${origin.pointer} ${section.join('/')}`;
}

/** The name that a foreign node would have had: the last step to it, or that of its file. */
function nameOf({ origin }: Foreign): string {
  const { path } = origin.file;
  const last = origin.pointer.slice(origin.pointer.lastIndexOf('/') + 1);
  const name = last === '' ? basename(path, extname(path)) : last;
  return name.replaceAll(/~[01]|[^A-Za-z0-9._-]+/g, '_');
}

function freeName(taken: Node, name: string): string {
  if (!Object.hasOwn(taken, name)) return name;
  let number = 2;
  while (Object.hasOwn(taken, `${name}${number}`)) number++;
  return `${name}${number}`;
}

function mapAt(parent: Node, key: string): Node {
  const existing = parent[key];
  if (isObject(existing)) return existing;
  const map: Node = bareMap();
  parent[key] = map;
  return map;
}
