/** A value that is made for the first who asks; when that fails, the next who asks has it tried again. */
export class Remembered<Value> {
  readonly #make: () => Promise<Value>;
  #value: Promise<Value> | undefined;

  constructor(make: () => Promise<Value>) {
    this.#make = make;
  }

  /** The value, as one promise for all who ask. */
  get(): Promise<Value> {
    return this.#value ?? this.#begin();
  }

  /** Have it made anew for the next who asks. */
  forget(): void {
    this.#value = undefined;
  }

  #begin(): Promise<Value> {
    const value = this.#make();
    this.#value = value;
    value.catch(() => {
      // Somebody may have had it made anew in the meantime.
      if (this.#value === value) this.#value = undefined;
    });
    return value;
  }
}
