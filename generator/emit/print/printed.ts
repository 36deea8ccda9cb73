/**
 * Text that a printer has made safe for the place that it goes to. Templates take nothing else, at
 * compile time and at run time: what a vendor wrote reaches a file through a printer or not at all.
 */
export class Printed {
  readonly #text: string;

  /** For printers alone: `text` can neither end what it stands in nor hide from a reader. */
  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Text of the generator itself with printed values in it. */
export function printed(parts: TemplateStringsArray, ...values: readonly Printed[]): Printed {
  return new Printed(String.raw({ raw: parts }, ...values));
}

/** Printed values with a text of the generator between each two. */
export function joined(values: readonly Printed[], between: string): Printed {
  return new Printed(values.join(between));
}

/** A number as it is. */
export function numeral(value: number): Printed {
  return new Printed(String(value));
}

/** A path, an id or a name of a file: what is no more than letters, digits and `._/<>-`. */
export function plain(name: string): Printed {
  if (!/^[\w./<>-]+$/.test(name)) throw new Error(`${JSON.stringify(name)} is no plain name`);
  return new Printed(name);
}
