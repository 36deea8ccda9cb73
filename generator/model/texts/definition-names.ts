import type { ApiDocument } from '../../read/document/api-document.ts';
import { escapeStep, parsePointer } from '../../read/text/json-pointer.ts';
import { distinct } from './names.ts';

const componentSchemas = '/components/schemas/';

/** The names that schemas of a description have under `$defs`; the same in every tool. */
export class DefinitionNames {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(document: ApiDocument) {
    const components = Object.keys(document.root.components?.['schemas'] ?? {});
    const names = distinct(components.map(sanitise));
    for (const [index, component] of components.entries()) {
      this.#give(componentSchemas + escapeStep(component), names[index] ?? component);
    }
  }

  /** The name of the schema at a pointer. */
  of(pointer: string): string {
    const known = this.#names.get(pointer);
    if (known !== undefined) return known;
    // Not a component but some place in the description: named after its last steps with letters.
    const steps = parsePointer(pointer).filter((step) => /[a-z]/i.test(step));
    const base = sanitise(steps.slice(-2).join('_'));
    let name = base;
    for (let count = 2; this.#taken.has(name.toLowerCase()); count++) name = base + count;
    return this.#give(pointer, name);
  }

  #give(pointer: string, name: string): string {
    this.#names.set(pointer, name);
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

/** A name that needs no escaping in a reference and that clients accept. */
function sanitise(name: string): string {
  const text = name.normalize('NFC').replace(/[^A-Za-z0-9_.-]+/g, '_');
  return text === '' ? 'Schema' : text.slice(0, 64);
}
