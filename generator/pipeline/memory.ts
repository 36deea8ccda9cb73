import type { InputHashes } from '../write/input-hashes.ts';

/** Keeps what was made of a folder of the specs for as long as its files stay the same. */
export class Memory {
  readonly #made = new Map<string, { readonly key: string; readonly value: unknown }>();
  #inputs: InputHashes['specs'] = [];

  /** From now on, the files are those. */
  look(inputs: InputHashes): void {
    this.#inputs = inputs.specs;
  }

  /** What `make` gave when a file, or those of a folder, were as now; made now where they were not. */
  async recall<Value>(place: string, purpose: string, make: () => Promise<Value>): Promise<Value> {
    const files = this.#inputs.filter(({ path }) => path === place || path.startsWith(`${place}/`));
    const key = files.map(({ path, sha256 }) => `${sha256} ${path}`).join('\n');
    const known = this.#made.get(`${purpose} ${place}`);
    // The purpose says what kind of value was put there.
    if (known?.key === key) return known.value as Value;
    const value = await make();
    this.#made.set(`${purpose} ${place}`, { key, value });
    return value;
  }
}
