import { isObject } from '#contract/json';
import { suggestion } from '../model/report.ts';
import type { Grammar, ObjectType, Shape, TextRule } from './grammar/shape.ts';
import type { Path } from './origins.ts';
import { label, mismatch, shown } from './shape-mismatch.ts';
import { isReference, isReferenceObject, type Node, shapeOf, typeOf } from './walk.ts';

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
export function checkShape(grammar: Grammar, root: Node): ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  const path: (string | number)[] = [];

  function report(message: string, options: ReportOptions = {}) {
    const { key, help, severity = 'error', keep } = options;
    problems.push({
      path: key === undefined ? [...path] : [...path, key],
      message,
      severity,
      useless: keep === undefined,
      ...(help !== undefined && { help }),
    });
  }

  function into(shape: Shape, value: unknown, key: string | number): void {
    if (shape.kind === 'any') return;
    path.push(key);
    visit(shape, value);
    path.pop();
  }

  function visit(shape: Shape, value: unknown): void {
    const actual = chosen(shape, value);
    const wrong = mismatch(actual, value);
    if (wrong !== undefined) {
      report(`${label(path)} ${wrong}`);
    } else if (actual.kind === 'list') {
      visitList(actual, value as unknown[]);
    } else if (actual.kind === 'map') {
      visitMap(actual, value as Node);
    } else if (actual.kind === 'object' && isObject(value)) {
      visitObject(actual.name, value);
    }
  }

  function visitList(shape: Shape & { kind: 'list' }, items: unknown[]): void {
    if (shape.notEmpty === true && items.length === 0) {
      report(`${label(path)} must have at least one item`);
    }
    const seen = shape.unique === true ? new Set<string>() : undefined;
    for (let index = 0; index < items.length; index++) {
      into(shape.of, items[index], index);
      if (seen === undefined) continue;
      const text = JSON.stringify(items[index]);
      if (seen.has(text)) {
        report(`${label(path)} has ${shown(items[index])} twice`, {
          key: String(index),
          severity: 'warning',
          keep: true,
        });
      }
      seen.add(text);
    }
  }

  function visitMap(shape: Shape & { kind: 'map' }, node: Node): void {
    for (const key of Object.keys(node)) {
      if (shape.keys !== undefined) checkKey(shape.keys, key);
      into(shape.of, node[key], key);
    }
  }

  function checkKey({ test, says }: TextRule, key: string): void {
    if (!test.test(key)) report(`"${key}" is not ${says}`, { key, keep: true });
  }

  function visitObject(name: string, node: Node): void {
    const declared = grammar[name];
    const type = typeOf(grammar, name, node);
    if (declared !== undefined && isReferenceObject(declared, node)) {
      checkReference(declared, node);
    } else if (type === undefined) {
      reportVariant(name, node);
    } else {
      const before = problems.length;
      if (!isReference(node)) checkRequired(type, node);
      visitFields(type, node);
      // A rule on top of a wrong member would only say the same thing again.
      if (problems.length === before && !isReference(node)) checkRules(type, node);
    }
  }

  function checkRequired({ required = [] }: ObjectType, node: Node): void {
    // A list can do without an item; the parts of a map are worth keeping as they are.
    const keep = typeof path.at(-1) === 'number' ? {} : { keep: true as const };
    for (const key of required) {
      if (node[key] === undefined) report(`${label(path)} must have "${key}"`, keep);
    }
  }

  function checkRules({ rules = [] }: ObjectType, node: Node): void {
    for (const rule of rules) {
      const broken = rule(node);
      if (broken !== undefined) {
        const { message, ...options } = broken;
        report(message, { ...options, keep: true });
        return;
      }
    }
  }

  function visitFields(type: ObjectType, node: Node): void {
    for (const key of Object.keys(node)) {
      const shape = shapeOf(type, key);
      if (shape !== undefined) into(shape, node[key], key);
      else if (type.open !== true && !key.startsWith('x-')) reportUnknown(type, key);
    }
  }

  function reportUnknown({ title, fields, patterned = [] }: ObjectType, key: string): void {
    const says = patterned[0]?.says;
    if (says !== undefined) {
      report(`"${key}" is not ${says}`, { key });
      return;
    }
    const help = suggestion(key, Object.keys(fields));
    report(`unknown field "${key}" of the ${title}`, { key, help, keep: true });
  }

  /** The text that decides about the type is missing or unknown: then nothing else can be said. */
  function reportVariant(name: string, node: Node): void {
    const type = grammar[name];
    if (type?.variants === undefined) return;
    const { by, types } = type.variants;
    const value = node[by];
    const inner = typeof value === 'string' ? types[value] : undefined;
    if (inner !== undefined) {
      reportVariant(inner, node);
    } else if (value === undefined) {
      report(`${label(path)} must have "${by}"`);
    } else {
      const wrong = mismatch({ kind: 'string', values: Object.keys(types) }, value);
      report(`"${by}" ${wrong}`, { key: by });
    }
  }

  function checkReference(type: ObjectType, node: Node): void {
    if (type.loneReference !== true) return;
    const other = Object.keys(node).find((key) => key !== '$ref');
    if (other !== undefined) {
      report(`"${other}" must not stand beside $ref`, { key: other, keep: true });
    }
  }

  visit({ kind: 'object', name: 'Document' }, root);
  return problems;
}

/** The shape that counts, where one or several of a thing may stand. */
function chosen(shape: Shape, value: unknown): Exclude<Shape, { kind: 'oneOrMany' }> {
  if (shape.kind !== 'oneOrMany') return shape;
  return chosen(Array.isArray(value) ? shape.many : shape.one, value);
}
