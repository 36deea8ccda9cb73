import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** What a schema says of a value: nothing, or the first problem. */
export type Accepts = (value: unknown) => string | undefined;

const options = { strict: false, validateFormats: true, allErrors: false, logger: false } as const;

/** Compiles schemas as the official clients do: the first generation by draft-07, the second by 2020-12. */
export class Schemas {
  readonly #first = formats.default(new Ajv(options));
  readonly #second = formats.default(new Ajv2020(options));

  /** What both generations say of values. */
  compile(schema: object): Accepts {
    const checks = [this.#first, this.#second].map((ajv) => {
      try {
        return ajv.compile(schema);
      } catch (error) {
        return (error as Error).message;
      }
    });
    return (value) => {
      for (const check of checks) {
        if (typeof check === 'string') return `the schema cannot be compiled: ${check}`;
        if (check(value)) continue;
        const [error] = check.errors ?? [];
        return `${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`;
      }
      return undefined;
    };
  }
}
