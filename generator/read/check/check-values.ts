import { isObject } from '#contract/json';
import type { Severity } from '../../diagnostics/diagnostic.ts';
import type { Follow } from '../document/targets.ts';
import type { Node } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import { formatPointer } from '../text/json-pointer.ts';
import type { Path } from '../text/origins.ts';
import { findValueProblem } from './value-problem.ts';

/** Compares defaults and examples with the schemas that they stand beside. */
export class ValueChecks {
  readonly #document: WorkingDocument;
  readonly #follow: Follow;
  /** Swagger 2.0 demands of defaults that they fit; later versions recommend it. */
  readonly #default: Severity;

  constructor(document: WorkingDocument, follow: Follow, defaultSeverity: Severity) {
    this.#document = document;
    this.#follow = follow;
    this.#default = defaultSeverity;
  }

  /** A schema with its own default and examples. */
  schema(node: Node, path: Path): void {
    if (node['default'] !== undefined) {
      this.#check('default', node, node['default'], [...path, 'default']);
    }
    const { examples } = node;
    if (!Array.isArray(examples)) return;
    for (const [index, example] of examples.entries()) {
      this.#check('example', node, example, [...path, 'examples', index]);
    }
  }

  /** A parameter, header or media type, whose examples stand beside its schema. */
  carrier(node: Node, path: Path): void {
    const { schema, example, examples } = node;
    if (schema === undefined) return;
    if (example !== undefined) this.#check('example', schema, example, [...path, 'example']);
    for (const [name, entry] of Object.entries(isObject(examples) ? examples : {})) {
      const object = this.#follow(entry);
      if (!isObject(object)) continue;
      const key = ['value', 'dataValue'].find((each) => object[each] !== undefined);
      if (key !== undefined) {
        const at =
          object === entry ? [...path, 'examples', name, key] : [...path, 'examples', name];
        this.#check('example', schema, object[key], at);
      }
    }
  }

  #check(what: 'default' | 'example', schema: unknown, value: unknown, at: Path): void {
    const found = findValueProblem(this.#follow, schema, value);
    if (found === undefined) return;
    const where = found.path.length === 0 ? '' : `${formatPointer(found.path)} `;
    report(this.#document, 'SPEC024', [...at, ...found.path], `${what}: ${where}${found.message}`, {
      severity: what === 'default' ? this.#default : 'warning',
    });
  }
}
