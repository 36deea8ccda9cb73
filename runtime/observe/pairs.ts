/** Values by two keys. Each call looks some up, and putting two texts together costs more than that. */
export class Pairs<First, Second, Value> {
  readonly #values = new Map<First, Map<Second, Value>>();

  get(first: First, second: Second): Value | undefined {
    return this.#values.get(first)?.get(second);
  }

  /** Keep `value`, and give it back. */
  put(first: First, second: Second, value: Value): Value {
    const others = this.#values.get(first);
    if (others) others.set(second, value);
    else this.#values.set(first, new Map([[second, value]]));
    return value;
  }
}
