import { isObject } from '#contract/json';
import { suggestion } from '../../diagnostics/suggestion.ts';
import { label, mismatch, shown } from '../document/shape-mismatch.ts';
import { isReference, isReferenceObject, type Node, shapeOf, typeOf } from '../document/walk.ts';
import type { Grammar, KeyRule, ObjectType, Shape } from '../grammar/shape.ts';
import type { Path } from '../text/origins.ts';

/** Something that the grammar of a version forbids. */
export interface ShapeProblem {
  /** The offending node; a field that is missing is blamed on its parent. */
  readonly path: Path;
  readonly message: string;
  readonly help?: string;
  readonly severity: 'error' | 'warning';
  /** Whether the node must go before anybody relies on the shape of the document. */
  readonly useless: boolean;
}

interface ReportOptions {
  /** The field to blame, instead of the node itself. */
  readonly key?: string;
  readonly help?: string;
  readonly severity?: 'error' | 'warning';
  /** The node can stay: its shape is fine. */
  readonly keep?: true;
}

/** Compare a description with the grammar of its version; one problem for each thing to repair. */
export function checkShape(grammar: Grammar, root: Node): readonly ShapeProblem[] {
  return new ShapeCheck(grammar).run(root);
}

class ShapeCheck {
  readonly #grammar: Grammar;
  readonly #problems: ShapeProblem[] = [];
  /** Where the check is at present. */
  readonly #path: (string | number)[] = [];

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
  }

  run(root: Node): readonly ShapeProblem[] {
    this.#visit({ kind: 'object', name: 'Document' }, root);
    return this.#problems;
  }

  #report(message: string, { key, help, severity = 'error', keep }: ReportOptions = {}): void {
    this.#problems.push({
      path: key === undefined ? [...this.#path] : [...this.#path, key],
      message,
      severity,
      useless: keep === undefined,
      ...(help !== undefined && { help }),
    });
  }

  #into(shape: Shape, value: unknown, key: string | number): void {
    if (shape.kind === 'any') return;
    this.#path.push(key);
    this.#visit(shape, value);
    this.#path.pop();
  }

  #visit(shape: Shape, value: unknown): void {
    const actual = chosen(shape, value);
    if (typeof value === 'boolean' && this.#mayBeBoolean(actual)) return;
    const wrong = mismatch(actual, value);
    if (wrong !== undefined) {
      this.#report(`${label(this.#path)} ${wrong}`);
    } else if (actual.kind === 'list') {
      this.#visitList(actual, value as unknown[]);
    } else if (actual.kind === 'map') {
      this.#visitMap(actual, value as Node);
    } else if (actual.kind === 'object' && isObject(value)) {
      this.#visitObject(actual.name, value);
    }
  }

  #mayBeBoolean(shape: Shape): boolean {
    return shape.kind === 'object' && this.#grammar[shape.name]?.orBoolean === true;
  }

  #visitList(shape: Shape & { kind: 'list' }, items: unknown[]): void {
    if (shape.notEmpty === true && items.length === 0) {
      // A schema that requires nothing is no less clear: later drafts of JSON Schema allow it.
      const isHarmless = this.#path.at(-1) === 'required';
      const message = `${label(this.#path)} must have at least one item`;
      this.#report(message, isHarmless ? { severity: 'warning', keep: true } : {});
    }
    const seen = shape.unique === true ? new Set<string>() : undefined;
    for (let index = 0; index < items.length; index++) {
      this.#into(shape.of, items[index], index);
      if (seen === undefined) continue;
      const text = JSON.stringify(items[index]);
      if (seen.has(text)) {
        const message = `${label(this.#path)} has ${shown(items[index])} twice`;
        this.#report(message, { key: String(index), severity: 'warning', keep: true });
      }
      seen.add(text);
    }
  }

  #visitMap(shape: Shape & { kind: 'map' }, node: Node): void {
    for (const key in node) {
      if (shape.keys !== undefined) this.#checkKey(shape.keys, key);
      this.#into(shape.of, node[key], key);
    }
  }

  #checkKey({ test, says, useless }: KeyRule, key: string): void {
    if (test.test(key)) return;
    this.#report(`"${key}" is not ${says}`, useless ? { key } : { key, keep: true });
  }

  #visitObject(name: string, node: Node): void {
    const declared = this.#grammar[name];
    const type = typeOf(this.#grammar, name, node);
    if (declared !== undefined && isReferenceObject(declared, node)) {
      this.#checkReference(declared, node);
    } else if (type === undefined) {
      this.#reportVariant(name, node);
    } else {
      const before = this.#problems.length;
      if (!isReference(node)) this.#checkRequired(type, node);
      this.#visitFields(type, node);
      // A rule on top of a wrong member would only say the same thing again.
      if (this.#problems.length === before) this.#checkRules(type, node);
    }
  }

  #checkRequired({ required = [] }: ObjectType, node: Node): void {
    // A list can do without an item; the parts of a map are worth keeping as they are.
    const keep = typeof this.#path.at(-1) === 'number' ? {} : { keep: true as const };
    for (const key of required) {
      if (node[key] === undefined) this.#report(`${label(this.#path)} must have "${key}"`, keep);
    }
  }

  #checkRules({ rules = [] }: ObjectType, node: Node): void {
    for (const rule of rules) {
      const broken = rule(node);
      if (broken !== undefined) {
        const { message, useless, ...options } = broken;
        this.#report(message, useless ? options : { ...options, keep: true });
        return;
      }
    }
  }

  #visitFields(type: ObjectType, node: Node): void {
    for (const key in node) {
      const shape = shapeOf(type, key);
      if (shape !== undefined) this.#into(shape, node[key], key);
      else if (type.open !== true && !key.startsWith('x-')) this.#reportUnknown(type, key);
    }
  }

  #reportUnknown({ title, fields, patterned = [] }: ObjectType, key: string): void {
    const says = patterned[0]?.says;
    if (says !== undefined) {
      this.#report(`"${key}" is not ${says}`, { key });
      return;
    }
    const help = suggestion(key, Object.keys(fields));
    this.#report(`unknown field "${key}" of the ${title}`, { key, help });
  }

  /** The text that decides about the type is missing or unknown: then nothing else can be said. */
  #reportVariant(name: string, node: Node): void {
    const type = this.#grammar[name];
    if (type?.variants === undefined) return;
    const { by, types } = type.variants;
    const value = node[by];
    const inner =
      typeof value === 'string' && Object.hasOwn(types, value) ? types[value] : undefined;
    if (inner !== undefined) {
      this.#reportVariant(inner, node);
    } else if (value === undefined) {
      this.#report(`${label(this.#path)} must have "${by}"`);
    } else {
      const wrong = mismatch({ kind: 'string', values: Object.keys(types) }, value);
      this.#report(`"${by}" ${wrong}`, { key: by });
    }
  }

  #checkReference(type: ObjectType, node: Node): void {
    if (type.loneReference !== true) return;
    const other = Object.keys(node).find((key) => key !== '$ref');
    if (other !== undefined) {
      this.#report(`"${other}" must not stand beside $ref`, { key: other, keep: true });
    }
  }
}

/** The shape that counts, where one or several of a thing may stand. */
function chosen(shape: Shape, value: unknown): Exclude<Shape, { kind: 'oneOrMany' }> {
  if (shape.kind !== 'oneOrMany') return shape;
  return chosen(Array.isArray(value) ? shape.many : shape.one, value);
}
