import { isObject, type JsonSchema } from '#contract/json';
import { keywords } from '#contract/schema/keywords';
import { localTarget } from '#contract/schema/local-reference';
import { subschemas } from '#contract/schema/subschemas';

/** How often a client meets a schema within itself before the rest is cut off. */
const mostLevels = 3;

/** References that are followed in one schema: where all lead to all, the ways are without number. */
const mostSteps = 5000;

/** Where in a schema something stands: below which reference, and how deep in its recursion. */
export interface Position {
  readonly pointer: string;
  readonly level: number;
}

/** What a reference leads to. */
export interface Target {
  readonly schema: unknown;
  readonly at: Position;
}

/** The local references of one schema; where they lead in circles, they end after three rounds. */
export class References {
  readonly root: JsonSchema;
  readonly start: Position = { pointer: '#', level: 1 };
  readonly #targets = new Map<string, unknown>();
  readonly #reach = new Map<string, ReadonlySet<string>>();
  /** By the part that holds them: each is asked of for itself, and for all that it lies in. */
  readonly #held = new WeakMap<object, ReadonlySet<string>>();
  readonly #order = new Map<string, number>();
  #steps = 0;

  constructor(root: JsonSchema) {
    this.root = root;
    this.#orderOf('#');
  }

  /** Follow a reference; nothing where it leads nowhere, or once too often to the same place. */
  follow(reference: unknown, from: Position): Target | undefined {
    if (typeof reference !== 'string') return undefined;
    const schema = this.#target(reference);
    if (schema === undefined || ++this.#steps > mostSteps) return undefined;
    const level = this.#levelOf(reference, from);
    return level > mostLevels ? undefined : { schema, at: { pointer: reference, level } };
  }

  /** Whether a part of the schema leads into a circle, or nowhere: no copy of it says the same. */
  isCut(part: unknown): boolean {
    for (const reference of this.#heldBy(part)) {
      if (this.#isCutAt(reference)) return true;
      for (const next of this.#reached(reference)) if (this.#isCutAt(next)) return true;
    }
    return false;
  }

  /** Each turn of a circle has an edge that leads back in the order in which the targets were met. */
  #levelOf(reference: string, { pointer, level }: Position): number {
    const inCircle = this.#reached(reference).has(pointer) && this.#reached(pointer).has(reference);
    if (!inCircle) return 1;
    return this.#orderOf(reference) <= this.#orderOf(pointer) ? level + 1 : level;
  }

  #isCutAt(reference: string): boolean {
    return this.#target(reference) === undefined || this.#reached(reference).has(reference);
  }

  #orderOf(reference: string): number {
    const known = this.#order.get(reference) ?? this.#order.size;
    this.#order.set(reference, known);
    return known;
  }

  #reached(reference: string): ReadonlySet<string> {
    const known = this.#reach.get(reference);
    if (known) return known;
    const reached = new Set(this.#heldBy(this.#target(reference)));
    // A set also visits what is added while it is walked.
    for (const next of reached) {
      for (const further of this.#heldBy(this.#target(next))) reached.add(further);
    }
    this.#reach.set(reference, reached);
    return reached;
  }

  #target(reference: string): unknown {
    if (!this.#targets.has(reference))
      this.#targets.set(reference, localTarget(this.root, reference));
    return this.#targets.get(reference);
  }

  /** The references that a schema, or a list of such, holds; those of definitions left out that nothing leads to. */
  #heldBy(part: unknown): ReadonlySet<string> {
    if (!isObject(part) && !Array.isArray(part)) return none;
    const known = this.#held.get(part);
    if (known) return known;
    const held = new Set<string>();
    this.#held.set(part, held);
    if (Array.isArray(part)) {
      for (const each of part) addAll(held, this.#heldBy(each));
      return held;
    }
    const { $ref } = part;
    if (typeof $ref === 'string') held.add($ref);
    for (const { keyword, schema } of subschemas(part)) {
      if (keywords.get(keyword)?.about !== 'place') addAll(held, this.#heldBy(schema));
    }
    return held;
  }
}

const none: ReadonlySet<string> = new Set();

function addAll(found: Set<string>, more: ReadonlySet<string>): void {
  for (const each of more) found.add(each);
}
