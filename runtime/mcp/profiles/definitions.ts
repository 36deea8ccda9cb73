import type { Position } from './references.ts';

/** The `$defs` of a schema that is being made: each place gets a name of its own. */
export class Definitions<Content> {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #contents = new Map<string, Content>();

  /** The content for a place, made when it is asked for first; nothing while it is being made. */
  at(
    at: Position,
    make: () => Content,
  ): { readonly name: string; readonly content: Content } | undefined {
    const key = `${at.level} ${at.pointer}`;
    const known = this.#names.get(key);
    if (known !== undefined) {
      const content = this.#contents.get(known);
      return content === undefined ? undefined : { name: known, content };
    }
    const name = this.#freeName(at);
    this.#names.set(key, name);
    const content = make();
    this.#contents.set(name, content);
    return { name, content };
  }

  get all(): ReadonlyMap<string, Content> {
    return this.#contents;
  }

  #freeName({ pointer, level }: Position): string {
    const last =
      pointer
        .split(/[#/]/)
        .at(-1)
        ?.replace(/[^\w.-]/g, '_') || 'Root';
    const base = level > 1 ? `${last}_${level}` : last;
    let name = base;
    for (let count = 2; this.#taken.has(name); count++) name = `${base}_${count}n`;
    this.#taken.add(name);
    return name;
  }
}
